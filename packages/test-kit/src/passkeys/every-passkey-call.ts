import type { Uuid } from '@sotto/core'
import { noonMicros, type Samples } from '../shared/samples.ts'
import type { Call, StorageUnderTest } from '../stores/harness.ts'

/** A call of every method of the store of passkeys. */
export function callsOfPasskeys(
  { passkeys }: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
): readonly Call[] {
  const [passkey, digest] = [make.passkey(accountId), make.tokenDigest()]
  return [
    () => passkeys.insert(passkey, digest, 10),
    () => passkeys.list(accountId),
    () => passkeys.findByCredential(digest),
    () => passkeys.recordUse(passkey.id, 1, noonMicros),
    () => passkeys.erase(accountId, passkey.id, { mayErase: () => true }),
    () => passkeys.hosts(),
  ]
}
