// The reference of the packages as Markdown: `npm run write api [-- DIRECTORY]` writes it, and so does a release. `npm run check` checks
// that every name has a docstring.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { resolveConfig } from 'prettier'
import { documentOf, indexOf } from './api/document.mjs'
import { undocumentedIn } from './api/names.mjs'
import { surfacesOf } from './api/surface.mjs'

const ROOT = resolve(import.meta.dirname, '..')

if (import.meta.main) await main(process.argv.slice(2))

/** @param {string[]} given */
async function main([directory = join(ROOT, '.reference')]) {
  const folders = publicPackages(ROOT).map(({ folder }) => folder)
  const built = spawnSync('tsc', ['--build', ...folders], { stdio: 'inherit' })
  if (built.status !== 0) throw new Error('The packages do not compile')
  await writeReference(ROOT, directory)
  console.log(directory)
}

/** Writes the reference of a checkout whose packages are built into a directory, which is emptied first.
 * @param {string} root @param {string} directory */
export async function writeReference(root, directory) {
  const packages = readPackages(root)
  const style = (await resolveConfig(join(root, 'README.md'))) ?? {}
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'README.md'), await indexOf(packages, style))
  for (const each of packages) {
    writeFileSync(join(directory, each.file), await documentOf(each.name, each, style))
  }
}

/** The names without a docstring in a checkout whose packages are built. @param {string} root */
export function undocumentedNames(root) {
  return readPackages(root).flatMap(({ name, names }) =>
    undocumentedIn(names).map((path) => `${name} ${path} has no docstring`),
  )
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
 *   publishConfig?: { exports?: Record<string, { types: string }> }, dependencies?: object, optionalDependencies?: object, peerDependencies?: object }} Manifest */

/** @param {string} folder @returns {Manifest} */
export function manifestIn(folder) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return /** @type {Manifest} */ (manifest)
}

/** What each package exports, and each of its paths by itself. @param {string} root */
function readPackages(root) {
  const entries = publicPackages(root).flatMap(({ file, folder, manifest }) =>
    Object.entries(manifest.publishConfig?.exports ?? { '.': { types: './dist/index.d.ts' } }).map(
      ([path, { types }]) => {
        const entry = path.slice(2)
        return {
          ...{ name: join(manifest.name, entry), description: manifest.description },
          file: `${[file, entry].filter(Boolean).join('-')}.md`,
          declarations: join(folder, types),
        }
      },
    ),
  )
  const surfaces = surfacesOf(entries.map(({ declarations }) => declarations))
  return surfaces.map((surface, index) => {
    const { name, description, file } = /** @type {typeof entries[number]} */ (entries[index])
    return { name, description, file, ...surface }
  })
}
