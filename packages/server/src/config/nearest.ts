/** The candidate that, or whose beginning, has the smallest Levenshtein distance to `word`; the first of several. */
export function nearest(word: string, candidates: readonly string[]): string {
  const measured = candidates.map((candidate) => {
    const beginning = candidate.slice(0, word.length + 1)
    return { candidate, edits: Math.min(edits(word, candidate), edits(word, beginning) + 1) }
  })
  return measured.sort((one, other) => one.edits - other.edits)[0]?.candidate ?? ''
}

function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
