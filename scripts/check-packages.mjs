// Checks the packages as their users get them: packed, and installed by npm outside the workspace.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import ts from 'typescript'
import { checkServerCharacters, checkServerPackages, checkTarballSizes } from './package-budgets.mjs'

const ROOT = resolve(import.meta.dirname, '..')
/** What `npm run pack` gives pnpm, before the directory. */
export const PACK = [
  ...['--recursive', '--workspace-concurrency=1', '--filter', './packages/*'],
  ...['pack', '--pack-destination'],
]
const EXAMPLES_CONFIG = join(ROOT, 'examples', 'tsconfig.json')
const NAMES = readdirSync(join(ROOT, 'packages'))
/** What can be imported of each: the package, and the paths that it exports besides. */
const PATHS = NAMES.flatMap((name) => {
  const { exports } = readManifest(join(ROOT, 'packages', name, 'package.json'))
  return Object.keys(exports).map((path) => join(name, path))
})

/** Runs a command to its end, and throws what it wrote when it fails.
 * @typedef {(name: string, args: string[], options?: { cwd?: string, onOutput?: (text: string) => void }) => Promise<void>} Command */

/** Packs all packages into a directory. Each builds itself from an empty `dist`; a file that an older build may have left is not
 * packed. @param {Command} command @param {string} directory */
export async function packPackages(command, directory) {
  for (const name of NAMES) {
    const dist = join(ROOT, 'packages', name, 'dist')
    mkdirSync(dist, { recursive: true })
    writeFileSync(join(dist, 'stale.js'), '')
  }
  await command('pnpm', [...PACK, directory])
  for (const file of tarballsIn(directory)) {
    let files = ''
    await command('tar', ['--list', '--gzip', '--file', file], { onOutput: (text) => (files += text) })
    for (const wanted of ['index.js', 'index.d.ts']) {
      if (!files.includes(`package/dist/${wanted}\n`)) throw new Error(`${file} has no dist/${wanted}`)
    }
    if (files.includes('stale')) throw new Error(`${file} has a file of an older build`)
  }
}

/** Checks the tarballs in a directory by themselves: that their entry points exist and that the types fit.
 * @param {Command} command @param {string} directory */
export async function checkTarballs(command, directory) {
  checkTarballSizes(tarballsIn(directory))
  for (const file of tarballsIn(directory)) {
    await command('publint', ['--strict', file])
    await command('attw', ['--profile', 'esm-only', '--no-color', file])
  }
}

/** Installs all tarballs in a project of its own, below the directory. There it compiles the examples of the READMEs, imports and
 * requires each package, and runs `npx sotto`. @param {Command} command @param {string} directory */
export async function checkInstalled(command, directory) {
  const cwd = join(directory, 'project')
  writeProject(cwd, tarballsIn(directory))
  await npmInstall(command, cwd)
  for (const file of ['imports.js', 'requires.cjs']) await command(process.execPath, [file], { cwd })
  checkTypes(
    cwd,
    readdirSync(cwd).flatMap((file) => (file.endsWith('.ts') ? [join(cwd, file)] : [])),
  )
  checkServerPackages(cwd)
  checkServerCharacters(cwd)
  await checkCommand(command, cwd)
}

/** What an application takes whose users sign in elsewhere, and what these packages need of ours. */
const WITHOUT_IDENTITY = [
  ...['core', 'http-fastify', 'adapter-sqlite', 'adapter-postgres', 'adapter-node-crypto'],
  ...['wire', 'html', 'texts', 'storage-sql', 'system'],
]

/** Checks that an application with users of its own installs nothing of `@sotto/identity`: these packages run and have whole types without it.
 * @param {Command} command @param {string} directory */
export async function checkWithoutIdentity(command, directory) {
  const cwd = join(directory, 'own-users')
  writeProject(cwd, tarballsIn(directory), WITHOUT_IDENTITY)
  await npmInstall(command, cwd)
  if (existsSync(join(cwd, 'node_modules', '@sotto', 'identity'))) throw new Error('identity is installed')
  await command(process.execPath, ['imports.js'], { cwd })
  const [example = ''] = examples().flatMap(([name]) =>
    name.includes('adapter-sqlite') ? [`${name}.ts`] : [],
  )
  checkTypes(cwd, [join(cwd, 'imports.ts'), join(cwd, example)])
  await command(process.execPath, [example], { cwd })
}

/** Installs what the project in `cwd` needs, and these tarballs in place of packages that are on no registry.
 * @param {Command} command @param {string} cwd @param {string[]} tarballs */
export async function npmInstall(command, cwd, tarballs = []) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  await command('npm', ['install', '--no-save', ...quiet, ...tarballs], { cwd })
}

/** Compiles files, with the options of the examples, and the packages' declarations. Those of other packages, such as TypeBox, would take a minute.
 * @param {string} cwd @param {string[]} files */
export function checkTypes(cwd, files) {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(EXAMPLES_CONFIG, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    cwd,
  )
  const program = ts.createProgram(files, { ...options, typeRoots: [join(cwd, 'node_modules', '@types')] })
  const checked = program.getSourceFiles().filter(({ fileName }) => {
    return files.includes(fileName) || fileName.includes('/node_modules/@sotto/')
  })
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...checked.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => cwd, getNewLine: () => '\n' }
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, host))
}

/** What `sotto scripts` of this checkout prints: the digests of the scripts that encrypt and decrypt in pages. @param {Command} command */
export async function scriptDigests(command) {
  let output = ''
  const main = join(ROOT, 'packages', 'server', 'src', 'main.ts')
  await command(process.execPath, [main, 'scripts'], { onOutput: (text) => (output += text) })
  return output
}

/** Runs `npx sotto` where `@sotto/server` is installed. Its pages must have the scripts of this checkout. @param {Command} command @param {string} cwd */
export async function checkCommand(command, cwd) {
  const { version } = readManifest(join(ROOT, 'packages', 'server', 'package.json'))
  const expected = /** @type {const} */ ([
    ['--version', `${version}\n`],
    ['--help', 'Usage: sotto '],
    ['scripts', await scriptDigests(command)],
  ])
  for (const [word, text] of expected) {
    let output = ''
    const onOutput = (/** @type {string} */ piece) => (output += piece)
    await command('npx', ['--no-install', 'sotto', word], { cwd, onOutput })
    if (!output.includes(text)) throw new Error(`npx sotto ${word} printed:\n${output}`)
  }
}

/** @param {string} cwd @param {string[]} tarballs @param {string[]} [names] of the packages: all of them with all of their paths, or these alone */
function writeProject(cwd, tarballs, names) {
  const fromRoot = createRequire(join(ROOT, 'package.json'))
  const types = readManifest(fromRoot.resolve('@types/node/package.json')).version
  const packages = Object.fromEntries(
    (names ?? NAMES).map((name) => [`@sotto/${name}`, tarballOf(name, tarballs)]),
  )
  const manifest = { private: true, type: 'module', dependencies: { ...packages, '@types/node': types } }
  const paths = names ?? PATHS
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(cwd, 'imports.js'), paths.map((path) => loading(path, 'await import')).join('\n'))
  writeFileSync(join(cwd, 'requires.cjs'), paths.map((path) => loading(path, 'require')).join('\n'))
  writeFileSync(join(cwd, 'imports.ts'), paths.map((path) => `import '@sotto/${path}'`).join('\n'))
  for (const [name, text] of examples()) writeFileSync(join(cwd, `${name}.ts`), text)
}

/** A line that fails when a path cannot be loaded so or exports nothing. @param {string} path @param {'await import' | 'require'} load */
function loading(path, load) {
  return `if (Object.keys(${load}('@sotto/${path}')).length === 0) throw new Error('${path} exports nothing')`
}

/** The examples of the READMEs and of docs/embed.md, except those that need a test runner. @returns {[string, string][]} */
function examples() {
  const readmes = ['.', ...NAMES.map((name) => join('packages', name))].map((folder) =>
    join(folder, 'README.md'),
  )
  return [...readmes, join('docs', 'embed.md')].flatMap((document) => {
    const text = readFileSync(join(ROOT, document), 'utf8')
    const blocks = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = '']) => block)
    const usable = blocks.filter((block) => !/from '(tap|vitest|\.\/.*)'/.test(block))
    return usable.map(
      (block, index) =>
        /** @type {[string, string]} */ ([`${document.replaceAll(/\W/g, '-')}-${index}`, block]),
    )
  })
}

/** @param {string} directory */
export function tarballsIn(directory) {
  return readdirSync(directory).flatMap((file) => (file.endsWith('.tgz') ? [join(directory, file)] : []))
}

/** @param {string} name @param {string[]} tarballs */
function tarballOf(name, tarballs) {
  const { version } = readManifest(join(ROOT, 'packages', name, 'package.json'))
  const found = tarballs.find((file) => basename(file) === `sotto-${name}-${version}.tgz`)
  if (found === undefined) throw new Error(`${name} was not packed`)
  return `file:${found}`
}

/** @param {string} file @returns {{ version: string, exports: object }} */
function readManifest(file) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  return /** @type {{ version: string, exports: object }} */ (manifest)
}
