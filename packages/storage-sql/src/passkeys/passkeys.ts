import type {
  LastAuthenticator,
  PasskeyLimitReached,
  PasskeyNotFound,
  PasskeyStore,
  PasskeyTaken,
  StoredPasskey,
  Authenticators,
} from '@sotto/identity'
import type { AccountNotFound, KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isEnabledAccount } from '../accounts/accounts.ts'
import { encryptedOf, underKey } from '../engine/codec.ts'
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
import { eraseSessionsBegunWith } from '../sessions/sessions.ts'
import type { ReadAuthenticators } from '../authenticators/read-authenticators.ts'

type Row = readonly [
  id: unknown,
  accountId: unknown,
  createdAt: number,
  lastUsedAt: number | null,
  rpId: string,
  algorithm: number,
  counter: number,
  credentialId: Uint8Array,
  publicKey: Uint8Array,
  kid: number,
  name: Uint8Array | null,
  ...more: unknown[],
]

/** The passkeys. */
export function createPasskeys(engine: Engine, readAuthenticators: ReadAuthenticators): PasskeyStore {
  const { dialect, find, list, write } = engine
  const { id, flag, texts } = dialect
  const columns = `${id.read('id')}, ${id.read('account_id')}, created_at, last_used_at, rp_id, algorithm, counter, credential_id,
    public_key, kid, ${texts.read('name')}`
  return {
    insert: (passkey, digest, max) =>
      write(function* (): Work<
        Result<void, AccountNotFound | PasskeyTaken | PasskeyLimitReached | KeyRetired>
      > {
        const account = id.in(passkey.accountId)
        if (!(yield* isEnabledAccount(dialect, passkey.accountId))) return err({ code: 'account_not_found' })
        if (yield* exists('SELECT 1 FROM passkeys WHERE digest = $1', digest))
          return err({ code: 'passkey_taken' })
        return (yield* countOf('SELECT count(*) FROM passkeys WHERE account_id = $1', account)) >= max
          ? err({ code: 'passkey_limit_reached' })
          : yield* insertPasskey(engine, passkey, digest)
      }),

    list: (accountId) =>
      list(
        `SELECT ${columns} FROM passkeys WHERE account_id = $1 ORDER BY created_at, id`,
        [id.in(accountId)],
        (found: Row) => passkeyOf(dialect, found),
      ),

    // An account whose erasure has begun has no index of its name.
    findByCredential: (digest) =>
      find(
        `SELECT ${columns}, (SELECT disabled_at IS NOT NULL FROM accounts WHERE id = account_id) FROM passkeys
         WHERE digest = $1 AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL)`,
        [digest],
        (found: Row) => ({ ...passkeyOf(dialect, found), accountDisabled: flag.out(found.at(-1)) }),
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
        ([rpId, passkeys]: [string, number]) => ({ rpId, passkeys }),
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

function* insertPasskey(
  engine: Engine,
  passkey: StoredPasskey,
  digest: Uint8Array,
): Work<Result<void, KeyRetired>> {
  const { id, texts } = engine.dialect
  const { kid, ciphertext } = passkey.name
  return yield* underKey(engine, kid, function* () {
    yield* changes(
      `INSERT INTO passkeys (id, account_id, created_at, last_used_at, rp_id, algorithm, counter, credential_id, public_key, digest,
         kid, ${texts.column('name')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      ...[id.in(passkey.id), id.in(passkey.accountId), passkey.createdAtMicros, passkey.lastUsedAtMicros],
      ...[passkey.rpId, passkey.algorithm, passkey.counter, passkey.credentialId, passkey.publicKey],
      ...[digest, kid, yield* texts.insert(ciphertext)],
    )
  })
}

function passkeyOf({ id }: Dialect, found: Row): StoredPasskey {
  const [
    passkeyId,
    accountId,
    createdAtMicros,
    lastUsedAt,
    rpId,
    algorithm,
    counter,
    credentialId,
    publicKey,
    kid,
    name,
  ] = found
  return {
    id: id.out(passkeyId),
    accountId: id.out(accountId),
    createdAtMicros,
    lastUsedAtMicros: lastUsedAt ?? undefined,
    rpId,
    algorithm,
    counter,
    credentialId: new Uint8Array(credentialId),
    publicKey: new Uint8Array(publicKey),
    name: encryptedOf(kid, name),
  }
}
