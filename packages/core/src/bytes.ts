/** Whether two byte strings are the same. Not in constant time: for what is no secret. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
