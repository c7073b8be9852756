// How large the packages may become. Raise a budget on purpose, with the reason in the commit's message.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The most bytes of each package's tarball: a fifth more than it had when the budget was set. */
export const TARBALL_BYTES = /** @type {const} */ ({
  'adapter-mail': 37_000,
  'adapter-node-crypto': 82_000,
  'adapter-oidc': 44_000,
  'adapter-postgres': 206_000,
  'adapter-sqlite': 206_000,
  'adapter-webhook': 30_000,
  client: 58_000,
  core: 438_000,
  'dashboard-fastify': 328_000,
  html: 132_000,
  'http-fastify': 310_000,
  identity: 176_000,
  sealed: 25_000,
  server: 1_850_000,
  'storage-sql': 165_000,
  system: 28_000,
  'test-kit': 640_000,
  texts: 316_000,
  wire: 68_000,
})

/** The most packages that a production install of `@sotto/server` brings, ours included. */
const SERVER_PACKAGES = 96

/** @param {string[]} tarballs their paths */
export function checkTarballSizes(tarballs) {
  const sizes = tarballs.map((file) => /** @type {const} */ ([packageOf(file), statSync(file).size]))
  const problems = problemsOf(sizes)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** What is over its budget or has none. @param {readonly (readonly [name: string, bytes: number])[]} sizes */
export function problemsOf(sizes) {
  return sizes.flatMap(([name, bytes]) => {
    const budget = /** @type {Record<string, number | undefined>} */ (TARBALL_BYTES)[name]
    if (budget === undefined) return [`${name} has no budget in scripts/package-budgets.mjs`]
    return bytes > budget ? [`${name} has ${bytes} bytes packed; its budget is ${budget}`] : []
  })
}

/** @param {string} cwd a project in which npm has installed `@sotto/server` */
export function checkServerPackages(cwd) {
  /** @type {unknown} */
  const lock = JSON.parse(readFileSync(join(cwd, 'node_modules', '.package-lock.json'), 'utf8'))
  const { size } = reachableFrom('node_modules/@sotto/server', /** @type {Lock} */ (lock).packages)
  if (size > SERVER_PACKAGES)
    throw new Error(`@sotto/server brings ${size} packages; the budget is ${SERVER_PACKAGES}`)
}

/**
 * Checks that the built files are ASCII: with one character beyond it Node.js keeps two bytes for each character of that file, 1.2 MiB more
 * for the largest.
 * @param {string} cwd a project in which npm has installed `@sotto/server`
 */
export function checkServerCharacters(cwd) {
  const dist = join(cwd, 'node_modules', '@sotto', 'server', 'dist')
  const names = readdirSync(dist).filter((name) => name.endsWith('.js'))
  const wide = names.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(dist, name), 'utf8')))
  if (names.length === 0 || wide.length > 0)
    throw new Error(`characters beyond ASCII in ${wide.join(', ') || 'no file at all'}`)
}

/** What npm has installed: paths, each with the names that it depends on. Optional packages of other platforms are not listed.
 * @typedef {{ readonly dependencies?: object, readonly optionalDependencies?: object, readonly peerDependencies?: object }} Installed
 * @typedef {{ readonly packages: Readonly<Record<string, Installed>> }} Lock */

/** The paths of a package and of all that it depends on. @param {string} start @param {Lock['packages']} packages */
export function reachableFrom(start, packages) {
  const found = new Set([start])
  for (const path of found) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const dependency = resolved(path, name, packages)
      if (dependency !== undefined) found.add(dependency)
    }
  }
  return found
}

/** Where Node.js finds a package that is imported from a path: in the nearest `node_modules` above it.
 * @param {string} from @param {string} name @param {Lock['packages']} packages @returns {string | undefined} */
function resolved(from, name, packages) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (path in packages) return path
  if (from === '') return undefined
  return resolved(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name, packages)
}

/** @param {string} file `sotto-core-0.2.0.tgz` */
function packageOf(file) {
  return basename(file)
    .replace(/^sotto-/, '')
    .replace(/-\d[^-]*\.tgz$/, '')
}
