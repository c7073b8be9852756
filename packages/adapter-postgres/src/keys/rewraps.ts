import type { KeyRetired, RewrapStore, StoredWrappedKey, Uuid } from '@sotto/core'
import { changes, exists, underKey, underOtherKeys, type Engine, type Work } from '@sotto/storage-sql'
import { ok, type Result } from 'neverthrow'
import { ciphertextOf } from '../engine/codec.ts'
import { secretColumns, secretOf, type SecretRow } from '../secrets/secret-rows.ts'

type WrappedKeyRow = readonly [id: Uuid, ...SecretRow]

const selectWrappedKeys = `SELECT s.id, ${secretColumns}, s.wrap, s.account_id FROM secrets s`

const lockUnchanged =
  'SELECT 1 FROM secrets WHERE id = $1 AND head = $2 AND wrap IS NOT DISTINCT FROM $3 FOR UPDATE'
const replace = 'UPDATE secrets SET kid = $2, head = $3, wrap = $4, version = version + 1 WHERE id = $1'

export function createSecretRewraps(engine: Engine): Pick<RewrapStore, 'secrets' | 'replaceSecret'> {
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

    replaceSecret: ({ secret, wrappedKey }, to) =>
      engine.write(
        function* (): Work<Result<boolean, KeyRetired>> {
          const { id, headCiphertext } = secret
          if (!(yield* exists(lockUnchanged, id, headCiphertext, wrappedKey))) return ok(false)
          const written = underKey(engine, to.kid, () =>
            changes(replace, id, to.kid, to.headCiphertext, to.wrappedKey),
          )
          return (yield* written).map(() => true)
        },
        { isolation: 'locks' },
      ),
  }
}

function wrappedKeyOf([, ...row]: WrappedKeyRow): StoredWrappedKey {
  const [wrappedKey, accountId] = row.slice(-2) as [Uint8Array | null, Uuid]
  return {
    secret: secretOf(accountId, row),
    wrappedKey: wrappedKey === null ? undefined : ciphertextOf(wrappedKey),
  }
}
