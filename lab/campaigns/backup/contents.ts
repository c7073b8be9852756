// What the writer writes, by the number of the secret and of the draft that follows it.

/** A secret is erased, or a draft edited, when this many further pairs were written. */
export const laterBy = 10

/** What becomes of a secret: it is opened for the only time at once, or erased later. */
export function endOf(number: number): 'opened' | 'erased' | undefined {
  if (number % 4 === 3) return 'opened'
  return number % 10 === 6 ? 'erased' : undefined
}

/** Whether a secret has a file, `contentOf(number)`. */
export function hasFile(number: number): boolean {
  return number % 3 === 0
}

/** Whether a draft has a file, which is removed from it later or stays. */
export function draftFileOf(number: number): 'removed' | 'kept' | undefined {
  if (number % 100 === 55) return 'removed'
  return number % 5 === 0 ? 'kept' : undefined
}
