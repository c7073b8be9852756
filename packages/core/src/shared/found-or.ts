import { err, ok, type Result } from 'neverthrow'

/** Turns false, by which a store says that it found no row, into this error. */
export function foundOr<E extends object>(notFound: E): (isFound: boolean) => Result<void, E> {
  return (isFound) => (isFound ? ok() : err(notFound))
}
