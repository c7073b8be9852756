import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import type { Leaf } from './leaf.ts'

const root = resolve(import.meta.dirname, '../../..')

/**
 * Copies the packages of the work tree, with what is not committed yet, and what compiles and tests them. Its packages use each other, and
 * the installed packages of the work tree.
 */
export function copyTree(directory: string): void {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    options,
  )
  for (const file of listed.split('\0').filter((each) => each !== '' && !each.startsWith('lab/'))) {
    if (lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile() !== true) continue
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    cpSync(join(root, file), join(directory, file))
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  // The links are relative, so those between packages lead to the packages of the copy.
  for (const links of globSync('packages/*/node_modules', { cwd: root }))
    cpSync(join(root, links), join(directory, links), { recursive: true, verbatimSymlinks: true })
}

/** Deletes the folders, files and packages of a leaf. Returns their paths in the copy. */
export function deleteFolders(directory: string, { word, packages, files }: Leaf): readonly string[] {
  const folders = globSync(`packages/*/{src,test}/**/${word}`, { cwd: directory })
  const texts = globSync(`packages/texts/src/*/${word}.ts`, { cwd: directory })
  const all = [...packages.map((name) => `packages/${name}`), ...folders, ...texts, ...files]
  const outermost = all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)))
  for (const path of outermost) rmSync(join(directory, path), { recursive: true })
  return outermost.toSorted()
}

/**
 * The projects of the copy, as folders below `packages`: each package after those that its sources use, then the tests of each. Writes the
 * configuration that compiles them, without the lab, which tries the whole product, and without references to what is gone.
 */
export function projectsOf(directory: string, only?: readonly string[]): readonly string[] {
  const packages = join(directory, 'packages')
  const found = globSync('*/tsconfig.json', { cwd: packages }).map((path) => dirname(path))
  const sorted = new Set<string>()
  const visit = (name: string): void => {
    if (sorted.has(name) || !found.includes(name)) return
    for (const { path } of referencesOf(join(packages, name)))
      visit(relative(packages, join(packages, name, path)))
    sorted.add(name)
  }
  found.toSorted().forEach(visit)
  const tests = [...sorted].map((name) => `${name}/test`)
  const tested = tests.filter((name) => existsSync(join(packages, name, 'tsconfig.json')))
  for (const name of tested) referencesOf(join(packages, name))
  const chosen = [...sorted, ...tested].filter((name) => only?.includes(name) ?? true)
  const references = chosen.map((name) => ({ path: `packages/${name}` }))
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ files: [], references }))
  return chosen
}

/** The references of a project to projects that there are. It is left with these. */
function referencesOf(folder: string): readonly { readonly path: string }[] {
  const file = join(folder, 'tsconfig.json')
  const config = configOf(file)
  config.references = config.references?.filter(({ path }) => existsSync(join(folder, path))) ?? []
  writeFileSync(file, JSON.stringify(config))
  return config.references
}

/** A tsconfig.json, which may have comments. */
function configOf(file: string): { references?: { path: string }[] } {
  return ts.readConfigFile(file, (path) => ts.sys.readFile(path)).config as {
    references?: { path: string }[]
  }
}
