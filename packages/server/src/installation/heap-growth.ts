/** The old generation grows by this much over what is in use before its garbage is collected. */
export const smallGrowth = '--heap-growing-percent=20'

/**
 * The client of PostgreSQL makes more garbage that lives for a moment: with 20 percent a full collection came every 350 ms, a sixth of the time
 * of an open. With 100 percent the old generation grows to twice what is in use, which takes 15 to 20 MiB more.
 */
const postgresGrowth = '--heap-growing-percent=100'

/**
 * V8 counts the bytes of buffers, of which a file makes four for each of its own. With 20 percent they had all of a heap collected for every
 * 7 MB of a file, which took half the time of a transfer. With 300 percent that happens after 64 MiB of buffers. The peak of a transfer stays
 * the same; meanwhile the garbage of other requests may take three times as much as what is in use.
 */
const contentGrowth = '--heap-growing-percent=300'

let usualGrowth: string = smallGrowth
let contents = 0

/** Lets the heap of a server on PostgreSQL grow further before its garbage is collected, unless somebody has set its size. */
export function growHeapForPostgres(): void {
  usualGrowth = postgresGrowth
  setGrowth(usualGrowth)
}

/** Lets the heap grow further while the content of a file passes through it: until the returned function is called. */
export function growHeapForContent(): () => void {
  contents += 1
  if (contents === 1) setGrowth(contentGrowth)
  return () => {
    contents -= 1
    if (contents === 0) setGrowth(usualGrowth)
  }
}

/** V8 reads this option at each collection, so it takes effect although the program runs already. */
function setGrowth(option: string): void {
  if (process.execArgv.includes(smallGrowth)) process.getBuiltinModule('node:v8').setFlagsFromString(option)
}
