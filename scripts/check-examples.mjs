// Checks the examples as their readers get them: a copy, the packed packages, and plain npm.
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkTypes, npmInstall, tarballsIn } from './check-packages.mjs'

const EXAMPLES = resolve(import.meta.dirname, '..', 'examples')

/** The names of the examples, each a folder. */
export const exampleNames = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

/**
 * Installs all examples below the directory together, with the tarballs that it holds, checks their types, and runs their tests.
 * @param {import('./check-packages.mjs').Command} command @param {string} directory
 */
export async function checkExamples(command, directory) {
  const cwd = join(directory, 'examples')
  const left = ['node_modules', 'package-lock.json']
  cpSync(EXAMPLES, cwd, {
    recursive: true,
    filter: (path) => !left.some((name) => path.endsWith(`/${name}`)),
  })
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, workspaces: exampleNames }))
  await npmInstall(command, cwd, tarballsIn(directory))
  checkTypes(
    cwd,
    exampleNames.flatMap((name) => sourcesIn(join(cwd, name))),
  )
  for (const name of exampleNames) await command('npm', ['test'], { cwd: join(cwd, name) })
  await checkReadme(command, directory)
}

/** Runs what the README of the examples tells its readers to type, except for packing. It ends with the token of a link.
 * @param {import('./check-packages.mjs').Command} command @param {string} directory */
async function checkReadme(command, directory) {
  const readme = readFileSync(join(EXAMPLES, 'README.md'), 'utf8')
  const [packing = '', using = ''] = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text]) => text)
  if (packing !== 'npm run pack -- ~/sotto-packages\n') throw new Error(`The README packs with ${packing}`)
  const script = using
    .replaceAll('~/sotto-packages', directory)
    .replaceAll('~/sotto-example', join(directory, 'example'))
  let output = ''
  const onOutput = (/** @type {string} */ text) => (output += text)
  await command('bash', ['-euo', 'pipefail', '-c', script], { onOutput })
  if (!/^[\w-]{43}$/m.test(output)) throw new Error(`The example of the README printed:\n${output}`)
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(folder).flatMap((file) => (file.endsWith('.ts') ? [join(folder, file)] : []))
}
