// Prints how many lines of TypeScript each capability has, and what something new costs: `npm run write weights`. It writes no file.
//
// A capability is a folder that several packages have in `src`. A file belongs to the innermost such folder that it is in, also below `test` and
// in the lab, or to the capability whose name it has. All other files are in the last row.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** @typedef {'production' | 'test-kit' | 'tests' | 'lab'} Kind */
/** @typedef {{ path: string, kind: Kind, lines: number }} Source */

const kinds = /** @type {const} */ (['production', 'test-kit', 'tests', 'lab'])
const elsewhere = 'elsewhere'

/** The rows of the table: each capability with its lines of each kind, the heaviest first. @param {readonly Source[]} sources */
export function weightsOf(sources) {
  const names = capabilitiesIn(sources.map(({ path }) => path))
  const groups = Map.groupBy(sources, ({ path }) => capabilityOf(path, names))
  return [...groups]
    .map(([name, all]) => ({
      name,
      files: all.length,
      lines: linesOf(all),
      of: kinds.map((kind) => linesOf(all, kind)),
    }))
    .toSorted(
      (one, other) =>
        Number(one.name === elsewhere) - Number(other.name === elsewhere) || other.lines - one.lines,
    )
}

/** The folders that `src` of several packages has. @param {readonly string[]} paths */
function capabilitiesIn(paths) {
  /** @type {Map<string, Set<string>>} */
  const packagesOf = new Map()
  for (const path of paths) {
    const [, name = '', folders = ''] = /^packages\/([^/]+)\/src\/(.*)\/[^/]+$/.exec(path) ?? []
    for (const folder of folders.split('/'))
      packagesOf.set(folder, (packagesOf.get(folder) ?? new Set()).add(name))
  }
  return new Set(
    [...packagesOf]
      .filter(([folder, packages]) => folder !== '' && packages.size > 1)
      .map(([folder]) => folder),
  )
}

/** @param {string} path @param {ReadonlySet<string>} names */
function capabilityOf(path, names) {
  const folders = path.split('/').slice(path.startsWith('packages/') ? 3 : 1, -1)
  const word = basename(path).replace(/(?:\.test)?\.ts$/, '')
  return folders.findLast((folder) => names.has(folder)) ?? (names.has(word) ? word : elsewhere)
}

/** @param {readonly Source[]} sources @param {Kind} [only] */
function linesOf(sources, only) {
  return sources.reduce((sum, { kind, lines }) => sum + (only === undefined || kind === only ? lines : 0), 0)
}

/** The TypeScript of packages and lab, without texts. @param {string} root @returns {Source[]} */
export function sourcesIn(root) {
  const listed = execFileSync('git', ['ls-files', 'packages/*.ts', 'lab/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = listed
    .trim()
    .split('\n')
    .filter((path) => !path.startsWith('packages/texts/src/'))
  return paths.map((path) => ({ path, kind: kindOf(path), lines: linesIn(join(root, path)) }))
}

/** @param {string} path @returns {Kind} */
function kindOf(path) {
  if (path.startsWith('lab/')) return 'lab'
  if (/^packages\/[^/]+\/test\//.test(path)) return 'tests'
  return path.startsWith('packages/test-kit/') ? 'test-kit' : 'production'
}

/** @param {string} file */
function linesIn(file) {
  return readFileSync(file, 'utf8').split('\n').length - 1
}

/**
 * The files that a recipe of CONTRIBUTING.md names: paths of the checkout, or of the folder that was named last.
 * @param {string} root @param {string} heading @returns {string[]}
 */
export function placesOf(root, heading) {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = text.split(`\n### ${heading}\n`)
  /** @type {Set<string>} */
  const places = new Set()
  let folder = ''
  for (const [, named = ''] of (section.split(/\n##+ /)[0] ?? '').matchAll(/`([\w./-]+)`/g)) {
    const path = [named, join(folder, named)].find((each) =>
      statSync(join(root, each), { throwIfNoEntry: false }),
    )
    if (path === undefined) continue
    if (statSync(join(root, path)).isDirectory()) folder = path
    else places.add(path)
  }
  return [...places]
}

/** @param {string} root */
function print(root) {
  const rows = weightsOf(sourcesIn(root))
  const line = (/** @type {readonly (string | number)[]} */ [name = '', ...cells]) =>
    console.log(`${name}`.padEnd(20), ...cells.map((cell) => `${cell}`.padStart(10)))
  line(['lines of', 'files', ...kinds, 'all'])
  for (const { name, files, of, lines } of rows) line([name, files, ...of, lines])
  const [files, lines] = [
    rows.reduce((sum, row) => sum + row.files, 0),
    rows.reduce((sum, row) => sum + row.lines, 0),
  ]
  line(['all', files, ...kinds.map((_, at) => rows.reduce((sum, { of }) => sum + (of[at] ?? 0), 0)), lines])
  console.log('\nWhat something new costs:')
  for (const heading of ['To add a field of a secret', 'To add a column', 'To add a command']) {
    const places = placesOf(root, heading)
    const sum = places.reduce((all, path) => all + linesIn(join(root, path)), 0)
    console.log(
      `- ${heading.slice('To add '.length)}: ${places.length} files that CONTRIBUTING.md names, of ${sum} lines`,
    )
  }
  const { lines: passkeys, files: inFiles } = rows.find(({ name }) => name === 'passkeys') ?? {}
  console.log(`- a capability such as passkeys: ${passkeys} lines in ${inFiles} files`)
}

if (import.meta.main) print(resolve(import.meta.dirname, '..'))
