import { err, ok, type Result } from 'neverthrow'

/** Turns false, by which a store says that it found no row, into an Err with this code. */
export function foundOr<Code extends string>(
  code: Code,
): (isFound: boolean) => Result<void, { readonly code: Code }> {
  return (isFound) => (isFound ? ok() : err({ code }))
}
