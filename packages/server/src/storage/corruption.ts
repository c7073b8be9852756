import { createKeyRing, createNodeCrypto, type KeyFileError } from '@sotto/adapter-node-crypto'
import {
  compareKeyRing,
  findCorruptedRows,
  type Clock,
  type CorruptedRow,
  type StorageError,
} from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { err, ok, type Result } from 'neverthrow'

/** Why rows could not be authenticated. */
export type AuthenticationError = KeyFileError | StorageError | { readonly code: 'keys_unfit' }

/** Authenticates everything that is encrypted in an open storage. Changes nothing. Ok with the corrupted rows. */
export async function authenticateStorage({
  storage,
  keysFile,
  clock,
}: {
  readonly storage: FullOpenStorage
  readonly keysFile: string
  readonly clock: Clock
}): Promise<Result<readonly CorruptedRow[], AuthenticationError>> {
  const ring = createKeyRing({ keyFile: keysFile, instanceId: storage.instanceId, clock })
  if (ring.isErr()) return err(ring.error)
  const known = await storage.keys.list()
  if (known.isErr()) return err(known.error)
  if (compareKeyRing(ring.value, known.value).length > 0) return err({ code: 'keys_unfit' })
  const crypto = createNodeCrypto({ ring: ring.value })
  try {
    const corrupted = await findCorruptedRows({ ...storage, ...crypto })
    return corrupted.isErr() ? err(corrupted.error) : ok(corrupted.value)
  } finally {
    await crypto.close()
  }
}
