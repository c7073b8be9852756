// Which exported names changed since the last release, and whether the changelog names them.
import { digestOf } from './surface.mjs'
import { ownerOf } from './names.mjs'

/** The exported names of the packages. @typedef {readonly { name: string, names: readonly import('./surface.mjs').Name[] }[]} Packages */

const HEADER = `# The digest of each exported name at the last release, and of each line that the changelog had then under Unreleased.
# Until the first release: of the day when this file was begun. \`npm run docs:api -- --released\` writes it.`

/** The text of released.txt. @param {Packages} packages @param {string} changelog */
export function releasedText(packages, changelog) {
  const lines = unreleasedLines(changelog).map((line) => `CHANGELOG ${digestOf(line)}`)
  return [HEADER, ...surfaceLines(packages), ...lines, ''].join('\n')
}

/** What changed since the release and is not named in a line that was written under Unreleased since then. A code span has to contain
 * the name, or the name of the function that the type belongs to.
 * @param {Packages} packages @param {string} released the text of released.txt @param {string} changelog
 * @returns {string[]} `@sotto/core createFolder` */
export function unnamedChanges(packages, released, changelog) {
  const known = new Set(released.split('\n'))
  const current = surfaceLines(packages)
  const gone = [...known].filter((line) => line.startsWith('@') && !current.includes(line))
  const changed = [...current.filter((line) => !known.has(line)), ...gone].map((line) =>
    line.replace(/ \w+$/, ''),
  )
  const lines = unreleasedLines(changelog).filter((line) => !known.has(`CHANGELOG ${digestOf(line)}`))
  const words = new Set(wordsInCode(lines.join('\n')))
  return [...new Set(changed)].filter((entry) => {
    const [, name = ''] = entry.split(' ')
    return !words.has(name) && !words.has(ownerOf(name, words) ?? '')
  })
}

/** @param {Packages} packages */
function surfaceLines(packages) {
  return packages.flatMap(({ name, names }) => names.map((entry) => `${name} ${entry.name} ${entry.digest}`))
}

/** The lines of the section, without empty ones. @param {string} changelog */
function unreleasedLines(changelog) {
  return (sectionOf(changelog, 'Unreleased') ?? '').split('\n').filter((line) => line.trim() !== '')
}

/** The text below a heading of the changelog, such as `Unreleased` or a version; a date may follow the version.
 * @param {string} changelog @param {string} heading */
export function sectionOf(changelog, heading) {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find((section) => /^\S*/.exec(section)?.[0] === heading)
  return found?.replace(/^.*\n?/, '').trim()
}

/** @param {string} markdown */
function wordsInCode(markdown) {
  return [...markdown.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/[\w$]+/g) ?? [])
}
