// Where the packages say that their sources are. The one setting is `repository.url` in the package.json of the checkout;
// `npm run write repository -- https://…` changes it, and writes `repository`, `homepage` and `bugs` of every package.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** The directories, in this checkout, of all that has the fields: its root and the packages. */
export const DIRECTORIES = ['.', ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)]

/** @typedef {{ repository?: { type: string, url: string, directory?: string }, homepage?: string, bugs?: { url: string } }} Fields */

if (import.meta.main) main(process.argv[2])

/** @param {string | undefined} web the address of the repository in a browser, without a slash at its end */
function main(web) {
  if (web === undefined || !/^https:\/\/[^\s#?]*[^\s#?/]$/.test(web) || web.endsWith('.git')) {
    console.error('Usage: npm run write repository -- https://git.example.org/sotto')
    process.exitCode = 2
    return
  }
  for (const directory of DIRECTORIES) {
    const path = join(ROOT, directory, 'package.json')
    writeFileSync(path, withFields(readFileSync(path, 'utf8'), fieldsOf(web, directory)))
  }
}

/** The fields of a package, for the address of the repository in a browser. @param {string} web @param {string} directory @returns {Fields} */
export function fieldsOf(web, directory) {
  const repository = { type: 'git', url: `git+${web}.git` }
  return {
    repository: directory === '.' ? repository : { ...repository, directory },
    homepage: `${web}#readme`,
    bugs: { url: `${web}/issues` },
  }
}

/** A manifest with these fields behind its license. @param {string} text @param {Fields} fields */
export function withFields(text, fields) {
  /** @type {unknown} */
  const parsed = JSON.parse(text)
  const entries = Object.entries(/** @type {object} */ (parsed)).filter(([name]) => !(name in fields))
  const place = entries.findIndex(([name]) => name === 'license') + 1
  const manifest = Object.fromEntries(entries.toSpliced(place, 0, ...Object.entries(fields)))
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** The address in a browser that the manifest of the checkout has. */
export function repositoryOfCheckout() {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { repository } = /** @type {Fields} */ (manifest)
  return repository?.url.replace(/^git\+/, '').replace(/\.git$/, '')
}
