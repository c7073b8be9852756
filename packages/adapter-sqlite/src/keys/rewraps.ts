import type { KeyRetired, RewrapStore, StoredWrappedKey } from '@sotto/core'
import { underOtherKeys, type Engine } from '@sotto/storage-sql'
import { ok } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { uuidBytes, uuidOf } from '../engine/codec.ts'
import type { KeyCheck } from '../engine/key-check.ts'
import {
  ciphertextOf,
  isSameOrNone,
  secretColumns,
  secretOf,
  wrappedKeyOrNull,
  type SecretRow,
} from '../secrets/secret-rows.ts'

export function createSecretRewraps(
  connections: Connections,
  engine: Engine,
  keyCheck: KeyCheck,
): Pick<RewrapStore, 'secrets' | 'replaceSecret'> {
  return {
    secrets: (kid, after, limit) =>
      engine.read(function* () {
        const rows = yield* underOtherKeys<WrappedKeyRow>(engine.dialect, selectWrappedKeys, {
          kid,
          after,
          limit,
        })
        return rows.map(wrappedKeyOf)
      }),

    replaceSecret: createReplaceSecret(connections, keyCheck),
  }
}

type WrappedKeyRow = readonly [id: Buffer, wrap: Buffer | null, accountId: string, ...SecretRow]

const selectWrappedKeys = `SELECT s.id, ${wrappedKeyOrNull}, hex(s.account_id), ${secretColumns} FROM secrets s`

function wrappedKeyOf([, wrap, accountId, ...row]: WrappedKeyRow): StoredWrappedKey {
  return {
    secret: secretOf(uuidOf(accountId), row),
    wrappedKey: wrap === null ? undefined : ciphertextOf(wrap),
  }
}

function createReplaceSecret(connections: Connections, keyCheck: KeyCheck): RewrapStore['replaceSecret'] {
  const { db, write } = connections
  const find = db
    .prepare<[Buffer], [nr: number, head: Buffer, wrap: Buffer | null]>(
      `SELECT s.nr, (SELECT head FROM ciphertexts WHERE nr = s.nr), ${wrappedKeyOrNull} FROM secrets s WHERE s.id = ?`,
    )
    .raw()
  const setKid = db.prepare('UPDATE secrets SET kid = ? WHERE nr = ?')
  const replace = db.prepare('UPDATE ciphertexts SET head = ?, wrap = coalesce(?, wrap) WHERE nr = ?')

  return (from, to) =>
    write<boolean, KeyRetired>(() => {
      const row = find.get(uuidBytes(from.secret.id))
      if (row === undefined) return ok(false)
      const [nr, head, wrap] = row
      if (!head.equals(from.secret.headCiphertext) || !isSameOrNone(wrap, from.wrappedKey)) return ok(false)
      return keyCheck(to.kid, () => {
        setKid.run(to.kid, nr)
        replace.run(to.headCiphertext, to.wrappedKey, nr)
        connections.erased()
      }).map(() => true)
    })
}
