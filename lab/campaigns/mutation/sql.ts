/** Whether a text contains SQL or a condition of it. */
export function isSql(text: string): boolean {
  return /\b(?:SELECT|INSERT|UPDATE|DELETE|iif|AND|WHERE)\b|@now/.test(text)
}

/** What is changed in a statement, each occurrence by itself: boundaries, connectives, extremes, orders, counts. */
const changes: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ AND (?!\?)/g, ' OR '],
  [/ OR /g, ' AND '],
  [/\bNOT /g, ''],
  [/\bmin\(/g, 'max('],
  [/ \+ 1\b/g, ' + 2'],
  [/ \+ 1\b/g, ''],
  [/ - /g, ' + '],
  [/ ORDER BY \w+/g, ''],
]

/** The changes of SQL within the text of a string or template. What is within `${}` is a part by itself and left alone. */
export function sqlMutations(source: string) {
  const inner = [...source.matchAll(/\$\{[^}]*\}/g)].map(({ index, 0: { length } }) => [
    index,
    index + length,
  ])
  const isInner = (at: number) => inner.some(([start = 0, end = 0]) => at >= start && at < end)
  return changes.flatMap(([pattern, by]) =>
    [...source.matchAll(pattern)]
      .filter(({ index }) => !isInner(index))
      .map(({ index, 0: { length } }) => {
        const [before, after] = [source.slice(0, index), source.slice(index + length)]
        const around = source.slice(Math.max(0, index - 20), index + length + 20).replaceAll(/\s+/g, ' ')
        const name = `SQL \`${source.slice(index, index + length).trim()}\` → \`${by.trim()}\` near \`${around.replaceAll('`', '').trim()}\``
        return { text: before + by + after, name }
      }),
  )
}
