// Finds comments that begin neither with a sentence with a subject nor with the name of a thing: `npm run check` allows none.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words that begin a fragment: prepositions, pronouns that point to something outside the comment, and `The same`. The words `What`, `How`
 * and `Whether` are not among them, because they begin clauses that name a thing, nor are `At most` and `At least`, because they belong to a
 * quantity. A good sentence that begins with a preposition is as good with its subject in front. */
const FIRST_WORDS =
  /^(?:(?:About|Above|Across|After|Against|Along|Among|Around|As|At(?! most\b| least\b)|Before|Behind|Below|Beneath|Beside|Besides|Between|Beyond|By|Despite|During|Except|For|From|In|Inside|Into|Like|Near|Of|Off|On|Onto|Outside|Over|Per|Since|Through|To|Toward|Towards|Under|Unlike|Until|Upon|Via|With|Within|Without)|He|Her|His|I|It|Its|She|Their|Theirs|Them|They|Those|Us|We|Which|Who|Whom|Whose|The same)\b/

/** The fragments of a checkout, each as `FILE:LINE COMMENT`. @param {string} root */
export function fragmentsIn(root) {
  const patterns = ['packages/*/src/**', 'lab/**', 'scripts/**'].map((path) => `${path}/*.{ts,mjs}`)
  const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules', '**/dist'] })
  return files.toSorted().flatMap((file) => fragmentsOf(readFileSync(join(root, file), 'utf8'), file))
}

/** The comments of one source that begin as a fragment. @param {string} source @param {string} file the name by which they are reported */
export function fragmentsOf(source, file) {
  const lines = source.split('\n').map((line) => line.trim())
  return lines.flatMap((line, index) => {
    const first = firstTextOf(line, lines[index - 1])
    return FIRST_WORDS.test(first) ? [`${file}:${index + 1} ${first}`] : []
  })
}

/** The text with which a comment begins on a line; empty where none begins. @param {string} line @param {string | undefined} before */
function firstTextOf(line, before = '') {
  if (/^\/\*\*?$/.test(before)) return line.replace(/^\* /, '')
  if (line.startsWith('//')) return before.startsWith('//') ? '' : line.replace(/^\/\/ ?/, '')
  return (/^\/\*\*? (.*?)(?: \*\/)?$/.exec(line) ?? [])[1] ?? ''
}

/** What is wrong with fragments; `undefined` when there are none. @param {readonly string[]} found */
export function complaint(found) {
  return found.length === 0
    ? undefined
    : [...found, `${found.length} comments begin without a subject`].join('\n')
}
