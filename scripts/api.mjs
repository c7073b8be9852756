// The reference of the packages in docs/api: `npm run docs:api` writes it, `npm run check` compares it.
// `npm run docs:api -- --released` also records the surface as that of a release.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { resolveConfig } from 'prettier'
import { releasedText, unnamedChanges } from './api/changes.mjs'
import { documentOf, indexOf } from './api/document.mjs'
import { undocumentedIn } from './api/names.mjs'
import { surfacesOf } from './api/surface.mjs'

const ROOT = resolve(import.meta.dirname, '..')

if (import.meta.main) await main(process.argv.slice(2))

/** @param {string[]} options */
async function main(options) {
  const folders = publicPackages(ROOT).map(({ folder }) => folder)
  const built = spawnSync('tsc', ['--build', ...folders], { stdio: 'inherit' })
  if (built.status !== 0) throw new Error('The packages do not compile')
  await writeReference(ROOT, options.includes('--released'))
}

/** Writes docs/api of a checkout whose packages are built; with `isRelease` also released.txt.
 * @param {string} root @param {boolean} isRelease */
export async function writeReference(root, isRelease) {
  const packages = readPackages(root)
  const directory = join(root, 'docs', 'api')
  mkdirSync(directory, { recursive: true })
  const files = await filesOf(root, packages)
  for (const file of readdirSync(directory)) {
    if (file.endsWith('.md') && !files.has(file)) rmSync(join(directory, file))
  }
  for (const [file, text] of files) writeFileSync(join(directory, file), text)
  const released = join(directory, 'released.txt')
  if (isRelease) writeFileSync(released, releasedText(packages, changelogOf(root)))
}

/** What is wrong with the reference of a checkout whose packages are built: names without a docstring, files that are out of date, changes
 * that the changelog does not name. @param {string} root */
export async function problemsOfReference(root) {
  const packages = readPackages(root)
  const directory = join(root, 'docs', 'api')
  const files = await filesOf(root, packages)
  const stored = readdirSync(directory).filter((file) => file.endsWith('.md'))
  const outdated = [...new Set([...files.keys(), ...stored])].filter(
    (file) => textOf(join(directory, file)) !== files.get(file),
  )
  const undocumented = packages.flatMap(({ name, names }) =>
    undocumentedIn(names).map((path) => `${name} ${path}`),
  )
  const unnamed = unnamedChanges(packages, textOf(join(directory, 'released.txt')) ?? '', changelogOf(root))
  return [
    ...undocumented.map((path) => `${path} has no docstring`),
    ...outdated.map((file) => `docs/api/${file} is out of date: run npm run docs:api`),
    ...unnamed.map(
      (path) => `${path} differs from the last release: name it in CHANGELOG.md under Unreleased`,
    ),
  ]
}

/** That released.txt is not of this surface, which a release needs. @param {string} root */
export function unrecordedNames(root) {
  const released = textOf(join(root, 'docs', 'api', 'released.txt')) ?? ''
  return unnamedChanges(readPackages(root), released, '').length === 0
    ? []
    : ['docs/api/released.txt is that of another release: run npm run docs:api -- --released']
}

/** The public packages of a checkout, by name. @param {string} root */
export function publicPackages(root) {
  return readdirSync(join(root, 'packages')).flatMap((file) => {
    const folder = join(root, 'packages', file)
    const manifest = manifestIn(folder)
    return manifest.private === true ? [] : [{ file, folder, manifest }]
  })
}

/** @typedef {{ name: string, version: string, description: string, private?: boolean, repository?: { url: string },
 *   dependencies?: object, optionalDependencies?: object, peerDependencies?: object }} Manifest */

/** @param {string} folder @returns {Manifest} */
export function manifestIn(folder) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return /** @type {Manifest} */ (manifest)
}

/** @param {string} root */
function readPackages(root) {
  const packages = publicPackages(root)
  const surfaces = surfacesOf(packages.map(({ folder }) => join(folder, 'dist', 'index.d.ts')))
  return surfaces.map((surface, index) => {
    const { file, manifest } = /** @type {typeof packages[number]} */ (packages[index])
    return { name: manifest.name, description: manifest.description, file: `${file}.md`, ...surface }
  })
}

/** @param {string} root @param {ReturnType<typeof readPackages>} packages @returns {Promise<Map<string, string>>} texts by file name */
async function filesOf(root, packages) {
  const style = (await resolveConfig(join(root, 'docs', 'api', 'README.md'))) ?? {}
  const documents = packages.map(async (each) => [each.file, await documentOf(each.name, each, style)])
  return new Map(
    /** @type {[string, string][]} */ ([
      ['README.md', await indexOf(packages, style)],
      ...(await Promise.all(documents)),
    ]),
  )
}

/** @param {string} path */
function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** @param {string} root */
function changelogOf(root) {
  return readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
}
