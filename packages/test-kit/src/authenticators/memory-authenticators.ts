import type { StoredIdentity, StoredPasskey, Authenticators } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { pageOf, type MemoryData } from '../stores/memory-data.ts'

/** The authenticators of an account's owner. */
export function authenticatorsOf(data: MemoryData, accountId: Uuid): Authenticators {
  return {
    isHeld: data.accounts.get(accountId)?.account.isHeld === true,
    hasPassword: data.passwords.has(accountId),
    identities: identitiesOf(data, accountId),
    passkeys: passkeysOf(data, accountId).map(({ id, rpId }) => ({ id, rpId })),
  }
}

export function identitiesOf({ identities }: MemoryData, accountId: Uuid): readonly StoredIdentity[] {
  const all = [...identities.values()].map(({ identity }) => identity)
  const own = all.filter((identity) => identity.accountId === accountId)
  return pageOf(own, undefined, own.length)
}

export function passkeysOf({ passkeys }: MemoryData, accountId: Uuid): readonly StoredPasskey[] {
  const own = [...passkeys.values()]
    .map(({ passkey }) => passkey)
    .filter((passkey) => passkey.accountId === accountId)
  return pageOf(own, undefined, own.length)
}
