/** Where randomness comes from. */
export interface Random {
  /** `count` (1 to 65,536) bytes from a cryptographically secure generator, in a new array. */
  bytes(count: number): Uint8Array
}
