// Reads TAP, the format in which both test runners report.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** Turns TAP into one line for each top-level test, with the details of failures. */
export class Printer {
  /** Test files without a test: an oversight, although tap reports them as skipped. */
  emptyFiles = 0
  /** @type {string[]} */
  #details = []
  #failing = false

  /** @param {string} line */
  line(line) {
    const [, notOk, name = ''] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? []
    if (name !== '') {
      const empty = name.endsWith('# SKIP no tests found')
      if (empty) this.emptyFiles += 1
      this.#failing = notOk !== undefined
      console.log(this.#failing || empty ? '✗' : '✓', name)
      if (this.#failing) for (const detail of failuresIn(this.#details)) console.log(detail)
      this.#details = []
    } else if (this.#failing && line.startsWith('  ')) {
      if (!/^ {2}(---|\.\.\.|stdio:|cwd:|externalID:|command:|args:|jobId:| {2}- )/.test(line))
        console.log(line)
    } else if (!/^ {2}\S/.test(line)) {
      this.#failing = false
      this.#details.push(line)
    }
  }
}

/** The lines of a test's subtests, without those of tests that passed. @param {string[]} lines */
function failuresIn(lines) {
  const kept = []
  let innerIndent = 0 // of the line that follows
  for (const line of lines.toReversed()) {
    const indent = line.search(/\S/)
    if (indent === -1 || /^\s*(ok \d+ |1\.\.\d+|# time=|TAP version)/.test(line)) continue
    if (/^\s*# Subtest: /.test(line) && innerIndent <= indent) continue
    kept.unshift(line)
    innerIndent = indent
  }
  return kept
}

/** tap's output ends with `# { total: 5, pass: 4, fail: 1 }`. @param {string} output @returns {Counts | undefined} */
export function tapCounts(output) {
  const summary = [...output.matchAll(/^# \{ total: .* \}$/gm)].at(-1)?.[0]
  if (summary === undefined) return undefined
  /** @param {string} name */
  const count = (name) => Number(new RegExp(` ${name}: (\\d+)`).exec(summary)?.[1] ?? 0)
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }
}

/** The output of Node's runner ends with lines such as `# pass 4`. @param {string} output @returns {Counts | undefined} */
export function nodeCounts(output) {
  const summary = output.slice(output.lastIndexOf('\n# tests '))
  /** @param {string} name */
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(summary)?.[1] ?? 0)
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  }
}
