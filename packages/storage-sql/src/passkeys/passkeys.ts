import type {
  LastAuthenticator,
  PasskeyLimitReached,
  PasskeyNotFound,
  PasskeyStore,
  PasskeyTaken,
  PasskeyStatus,
  StoredPasskey,
  Authenticators,
} from '@sotto/identity'
import type { AccountNotFound, KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isEnabledAccount } from '../accounts/accounts.ts'
import { underKey } from '../engine/codec.ts'
import {
  changes,
  countOf,
  exists,
  rows,
  type Dialect,
  type Engine,
  type SqlValue,
  type Work,
} from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { eraseSessionsBegunWith } from '../sessions/sessions.ts'
import { passkeyTables } from './tables.ts'
import type { ReadAuthenticators } from '../authenticators/read-authenticators.ts'

const fields = {
  id: 'id',
  accountId: 'account_id',
  createdAtMicros: 'created_at',
  lastUsedAtMicros: 'last_used_at',
  rpId: 'rp_id',
  algorithm: 'algorithm',
  counter: 'counter',
  credentialId: 'credential_id',
  publicKey: 'public_key',
  name: 'name',
} as const

const passkeyRows = rowsOf(passkeyTables.passkeys).as<StoredPasskey, { readonly digest: Uint8Array }>(
  fields,
  { digest: 'digest' },
)

const statusRows = rowsOf(passkeyTables.passkeys).reading<PasskeyStatus>({
  ...fields,
  accountDisabled: {
    type: 'flag',
    sql: '(SELECT disabled_at IS NOT NULL FROM accounts WHERE id = account_id)',
  },
})

/** The passkeys. */
export function createPasskeys(engine: Engine, readAuthenticators: ReadAuthenticators): PasskeyStore {
  const { dialect, find, list, write } = engine
  const { id } = dialect
  const [passkeys, statuses] = [passkeyRows(dialect), statusRows(dialect)]
  return {
    insert: (passkey, digest, max) =>
      write(function* (): Work<
        Result<void, AccountNotFound | PasskeyTaken | PasskeyLimitReached | KeyRetired>
      > {
        const account = id.in(passkey.accountId)
        if (!(yield* isEnabledAccount(dialect, passkey.accountId))) return err({ code: 'account_not_found' })
        if (yield* exists('SELECT 1 FROM passkeys WHERE digest = $1', digest))
          return err({ code: 'passkey_taken' })
        if ((yield* countOf('SELECT count(*) FROM passkeys WHERE account_id = $1', account)) >= max)
          return err({ code: 'passkey_limit_reached' })
        return yield* underKey(engine, passkey.name.kid, () => passkeys.insert({ ...passkey, digest }))
      }),

    list: (accountId) =>
      list(
        `SELECT ${passkeys.columns} FROM passkeys WHERE account_id = $1 ORDER BY created_at, id`,
        [id.in(accountId)],
        passkeys.read,
      ),

    // An account whose erasure has begun has no index of its name.
    findByCredential: (digest) =>
      find(
        `SELECT ${statuses.columns} FROM passkeys
         WHERE digest = $1 AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL)`,
        [digest],
        statuses.read,
      ),

    recordUse: (passkeyId, counter, atMicros) =>
      engine
        .change(
          `UPDATE passkeys SET counter = $2, last_used_at = $3
           WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
          ...[id.in(passkeyId), counter, atMicros],
        )
        .map((count) => count > 0),

    erase: (accountId, passkeyId, { mayErase, keepSessionId }) =>
      write(function* (): Work<Result<void, PasskeyNotFound | LastAuthenticator>> {
        const ids = [id.in(passkeyId), id.in(accountId)]
        const isOwned = yield* exists('SELECT 1 FROM passkeys WHERE id = $1 AND account_id = $2', ...ids)
        if (!isOwned) return err({ code: 'passkey_not_found' })
        const found = yield* readAuthenticators(accountId)
        const left = found.passkeys.filter((each) => each.id !== passkeyId)
        if (!mayErase({ ...found, passkeys: left })) return err({ code: 'last_way_in' })
        yield* changes('DELETE FROM passkeys WHERE id = $1', id.in(passkeyId))
        yield* eraseSessionsBegunWith(dialect, accountId, passkeyId, keepSessionId)
        engine.erased()
        return ok()
      }),

    hosts: () =>
      list(
        'SELECT rp_id, count(*) FROM passkeys GROUP BY rp_id ORDER BY rp_id',
        [],
        ([rpId, count]: [string, number]) => ({ rpId, passkeys: count }),
      ),
  }
}

/** Erases the passkeys of an account, inside work. */
export function erasePasskeys(account: SqlValue): Work<number> {
  return changes('DELETE FROM passkeys WHERE account_id = $1', account)
}

/** The passkeys of an account, as far as a sign-in depends on them, inside work. */
export function* passkeysOf({ id }: Dialect, account: SqlValue): Work<Authenticators['passkeys']> {
  const found = yield* rows<[unknown, string]>(
    `SELECT ${id.read('id')}, rp_id FROM passkeys WHERE account_id = $1 ORDER BY created_at, id`,
    account,
  )
  return found.map(([passkey, rpId]) => ({ id: id.out(passkey), rpId }))
}
