// Reads TAP, the format in which both test runners report.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @typedef {{ place: string, name: string, reason: string }} Skipped a test, the file and tests that it is in, and why */

/** Turns TAP into one line for each top-level test, with the details of failures. */
export class Printer {
  /** Test files without a test: an oversight, although tap reports them as skipped. */
  emptyFiles = 0
  /** Tests that were skipped or are still to be written. @type {Skipped[]} */
  skipped = []
  /** @type {string[]} */
  #details = []
  #failing = false

  /** @param {string} line */
  line(line) {
    const [, notOk, name = ''] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? []
    if (name !== '') {
      const empty = name.endsWith('# SKIP no tests found')
      if (empty) this.emptyFiles += 1
      else this.skipped.push(...skippedIn([...this.#details, line], name))
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

/**
 * The tests that were skipped.
 * @param {string[]} lines of a top-level test, whose result is the last
 * @param {string} top its name
 */
function skippedIn(lines, top) {
  /** @type {Skipped[]} */
  const skipped = []
  /** @type {string[]} */
  const path = [] // the names of the tests that have begun, by their depth
  for (const line of lines) {
    const { depth = '', begun } = /^(?<depth> *)# Subtest: (?<begun>.*)$/.exec(line)?.groups ?? {}
    if (begun !== undefined) path.splice(depth.length / 4, Infinity, begun)
    const [, indent = '', name = '', directive = '', reason = ''] =
      /^( *)(?:not )?ok \d+ - (.*?) # (SKIP|TODO)\b ?(.*)$/.exec(line) ?? []
    if (directive === '') continue
    const outer = indent === '' ? [] : [top.replace(/ # time=.*$/, ''), ...path.slice(1, indent.length / 4)]
    const why = reason === '' ? directive.toLowerCase() : reason.replaceAll('\\#', '#')
    skipped.push({ place: outer.join(' › '), name, reason: why })
  }
  return skipped
}

/** The last lines of all: which tests were skipped, and the counts. @param {Counts} total @param {Skipped[]} skipped */
export function summaryOf({ passed, failed, skipped: count }, skipped) {
  const groups = Map.groupBy(skipped, ({ place, reason }) => [place, reason].filter(Boolean).join(', '))
  const lines = [...groups].map(([group, tests]) => `  ${group}: ${tests.map(({ name }) => name).join(', ')}`)
  const counts = `${passed} passed, ${failed} failed`
  return [...(count === 0 ? [] : [`${count} skipped:`, ...lines]), counts].join('\n')
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

/** The output of Node's runner ends with lines such as `# pass 4`. @param {string} output @returns {Counts} */
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
