import { err, ok, type Result } from 'neverthrow'
import type { KeyRingUnfit, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { compareKeyRing } from '../rules/key-ring.ts'

export type KnownKidsDeps = PortMethods<{ keyRing: 'kids' | 'checkValue' | 'refresh'; keys: 'list' }>

/** Ok with the kids that the store knows; an error when the ring lacks one of these keys, or has another key under its number. */
export async function knownKids({
  keyRing,
  keys,
}: KnownKidsDeps): Promise<Result<readonly number[], KeyRingUnfit | StorageError>> {
  const known = await keys.list()
  if (known.isErr()) return err(known.error)
  // Another process of this machine adds a key to the ring before it adds it to the store.
  keyRing.refresh()
  const [unfit] = compareKeyRing(keyRing, known.value)
  return unfit === undefined ? ok(known.value.map(({ kid }) => kid)) : err(unfit)
}
