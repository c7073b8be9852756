import { err, ok, type Result } from 'neverthrow'

export function foundOr<Code extends string>(
  code: Code,
): (isFound: boolean) => Result<void, { readonly code: Code }>
/** Turns false, by which a store says that it found no row, into this error. */
export function foundOr<E extends object>(notFound: E): (isFound: boolean) => Result<void, E>
export function foundOr(notFound: object | string): (isFound: boolean) => Result<void, unknown> {
  return (isFound) => (isFound ? ok() : err(typeof notFound === 'string' ? { code: notFound } : notFound))
}
