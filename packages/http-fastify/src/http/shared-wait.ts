/**
 * Resolves at the end of this turn of the event loop, for all that wait in it together. Requests that arrived together then go on together,
 * and a storage can answer what they ask at the same time from one snapshot or in one statement.
 */
export type SharedWait = () => Promise<void>

export function createSharedWait(): SharedWait {
  let wait: Promise<void> | undefined
  return () =>
    (wait ??= new Promise((resolve) => {
      setImmediate(() => {
        wait = undefined
        resolve()
      })
    }))
}
