import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Which of these ciphertexts the files of a directory hold a part of: any eight bytes of it, from a multiple of eight on. Walks once over
 * the bytes, however many ciphertexts there are. Not for a directory in which this process has a database open: closing a file would
 * release its locks.
 */
export function survivorsIn(dir: string, ciphertexts: readonly Uint8Array[]): ReadonlySet<number> {
  const parts = new Map<number, { readonly high: number; readonly owner: number }[]>()
  for (const [owner, ciphertext] of ciphertexts.entries()) {
    const bytes = Buffer.from(ciphertext)
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      const low = bytes.readUInt32LE(at)
      parts.set(low, [...(parts.get(low) ?? []), { high: bytes.readUInt32LE(at + 4), owner }])
    }
  }
  const survivors = new Set<number>()
  for (const file of readdirSync(dir)) {
    const bytes = readFileSync(join(dir, file))
    for (let at = 0; at + 8 <= bytes.length; at += 1) {
      for (const { high, owner } of parts.get(bytes.readUInt32LE(at)) ?? [])
        if (bytes.readUInt32LE(at + 4) === high) survivors.add(owner)
    }
  }
  return survivors
}
