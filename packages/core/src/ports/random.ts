/** Where chance comes from. */
export interface Random {
  /** `count` (1 to 65,536) bytes from a cryptographically secure generator, in an array of the caller's own. */
  bytes(count: number): Uint8Array
}
