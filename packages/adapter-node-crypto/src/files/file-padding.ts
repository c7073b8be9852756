/** The least size of a padded content, in bytes: one that needs no padding. */
const leastSize = 4_096

/**
 * The size to which a content of this size is padded: its binary length rounded up to a multiple that leaves O(log log size) bits, so at most
 * 12 % more (Padmé: Nikitin, Barman, Lueks, Underwood, Hubaux and Ford, "Reducing Metadata Leakage from Encrypted Files and Communication
 * with PURBs", 2019). Exact up to 2^48 bytes.
 */
export function paddedFileLength(size: number): number {
  const least = Math.max(size, leastSize)
  const exponent = Math.floor(Math.log2(least))
  const kept = Math.floor(Math.log2(exponent)) + 1
  const step = 2 ** (exponent - kept)
  return Math.ceil(least / step) * step
}
