import type { Authenticators } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { passkeysOf } from '../passkeys/memory-passkeys.ts'
import { identitiesOf } from '../single-sign-on/memory-identities.ts'
import type { MemoryData } from '../stores/memory-data.ts'

/** The authenticators of an account's owner. */
export function authenticatorsOf(data: MemoryData, accountId: Uuid): Authenticators {
  return {
    isHeld: data.accounts.get(accountId)?.account.isHeld === true,
    hasPassword: data.passwords.has(accountId),
    identities: identitiesOf(data, accountId),
    passkeys: passkeysOf(data, accountId).map(({ id, rpId }) => ({ id, rpId })),
  }
}
