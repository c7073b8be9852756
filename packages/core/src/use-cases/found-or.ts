import { err, ok, type Result } from 'neverthrow'

/** Makes of a store's answer, whether it found the row that it was to change, an Err with this code when it did not. */
export function foundOr<Code extends string>(
  code: Code,
): (isFound: boolean) => Result<void, { readonly code: Code }> {
  return (isFound) => (isFound ? ok() : err({ code }))
}
