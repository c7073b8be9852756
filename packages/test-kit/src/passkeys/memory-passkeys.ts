import type { PasskeyStatus, PasskeyStore, StoredPasskey } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  equalBytes,
  keyRetired,
  pageOf,
  taken,
  type MemoryConnection,
  type MemoryData,
  type PasskeyRow,
} from '../stores/memory-data.ts'
import { eraseSessionsBegunWith } from '../sessions/memory-sessions.ts'
import type { ReadAuthenticators } from '../authenticators/memory-authenticators.ts'

export function createMemoryPasskeys(
  { data, answer, isEnabled, mayWrite }: MemoryConnection,
  authenticatorsOf: ReadAuthenticators,
): PasskeyStore {
  const rowWith = (digest: Uint8Array): PasskeyRow | undefined =>
    data.passkeys.values().find((row) => equalBytes(row.digest, digest))
  return {
    insert: (passkey, digest, max) =>
      answer(() => {
        if (!isEnabled(passkey.accountId)) return err({ code: 'account_not_found' })
        if (rowWith(digest) !== undefined) return err({ code: 'passkey_taken' })
        if (passkeysOf(data, passkey.accountId).length >= max) return err({ code: 'passkey_limit_reached' })
        if (!mayWrite(passkey.name)) return err(keyRetired)
        if (data.passkeys.has(passkey.id)) return err(taken)
        data.passkeys.set(passkey.id, structuredClone({ passkey, digest }))
        return ok()
      }),

    list: (accountId) => answer(() => ok(passkeysOf(data, accountId))),

    findByCredential: (digest) =>
      answer(() => {
        const passkey = rowWith(digest)?.passkey
        const status: PasskeyStatus | undefined = passkey && {
          ...passkey,
          accountDisabled: !isEnabled(passkey.accountId),
        }
        return ok(status)
      }),

    recordUse: (id, counter, atMicros) =>
      answer(() => {
        const row = data.passkeys.get(id)
        if (row === undefined) return ok(false)
        const goesOn = counter > row.passkey.counter || (counter === 0 && row.passkey.counter === 0)
        if (!goesOn) return ok(false)
        data.passkeys.set(id, { ...row, passkey: { ...row.passkey, counter, lastUsedAtMicros: atMicros } })
        return ok(true)
      }),

    erase: (accountId, id, { mayErase, keepSessionId }) =>
      answer(() => {
        if (data.passkeys.get(id)?.passkey.accountId !== accountId) return err({ code: 'passkey_not_found' })
        const found = authenticatorsOf(data, accountId)
        if (!mayErase({ ...found, passkeys: found.passkeys.filter((each) => each.id !== id) }))
          return err({ code: 'last_way_in' })
        data.passkeys.delete(id)
        eraseSessionsBegunWith(data, accountId, id, keepSessionId)
        return ok()
      }),

    hosts: () =>
      answer(() => {
        const hosts = [...data.passkeys.values()].map(({ passkey }) => passkey.rpId)
        const names = [...new Set(hosts)].toSorted()
        return ok(names.map((rpId) => ({ rpId, passkeys: hosts.filter((each) => each === rpId).length })))
      }),
  }
}

export function passkeysOf({ passkeys }: MemoryData, accountId: Uuid): readonly StoredPasskey[] {
  const own = [...passkeys.values()]
    .map(({ passkey }) => passkey)
    .filter((passkey) => passkey.accountId === accountId)
  return pageOf(own, undefined, own.length)
}

export function erasePasskeysOf(data: MemoryData, accountId: Uuid): void {
  for (const { id } of passkeysOf(data, accountId)) data.passkeys.delete(id)
}
