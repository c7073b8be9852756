// Prints every promise with the test that shows it, from the comments `// Promise (AREA): …` above the tests: `npm run write promises`.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * The promises of all tests, by area.
 * @returns {Map<string, string[]>} lines `promise: file › test`
 */
export function promises() {
  /** @type {Map<string, string[]>} */
  const areas = new Map()
  for (const file of globSync('{packages/*,scripts,lab}/test/**/*.test.ts', { cwd: ROOT }).toSorted()) {
    const text = readFileSync(resolve(ROOT, file), 'utf8')
    for (const [, comment = '', name = ''] of text.matchAll(TAGGED)) {
      const lines = comment
        .replaceAll(/\n\s*\/\/ (?!Promise )/g, ' ')
        .matchAll(/\/\/ Promise \(([^)]*)\): (.*)/g)
      for (const [, area = '', promise = ''] of lines)
        areas.set(area, [...(areas.get(area) ?? []), `${promise}: ${file} › ${name}`])
    }
  }
  return areas
}

/** Comments of promises, and the name of the test below them. */
const TAGGED = /((?:[ \t]*\/\/ (?:Promise \(|.*).*\n)+)[^\n]*(?:test|onBoth)\(\s*['`](.*?)['`],/g

if (process.argv[1] === import.meta.filename)
  for (const [area, lines] of promises())
    console.log(`${area}\n${lines.map((line) => `- ${line}`).join('\n')}\n`)
