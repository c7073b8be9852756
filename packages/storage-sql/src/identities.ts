import type {
  AccountExists,
  AccountNotFound,
  IdentityIndexes,
  IdentityLimitReached,
  IdentityNotFound,
  IdentityStore,
  IdentityTaken,
  KeyRetired,
  LastWayIn,
  StoredIdentity,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { insertAccount, isEnabledAccount } from './accounts.ts'
import { underKey } from './codec.ts'
import { changes, countOf, row, type Engine, type SqlValue, type Work } from './engine.ts'
import { identityColumns, identityOf, type IdentityRow } from './identity-rows.ts'
import { eraseSessionsBegunWith } from './sessions.ts'
import { useToken } from './used-tokens.ts'
import { waysInOf } from './ways-in.ts'

/** The identities that owners sign in with. */
export function createIdentities(engine: Engine): IdentityStore {
  const { dialect, read, list, write } = engine
  const { id, flag } = dialect
  const columns = identityColumns(dialect)
  /** Not a join: SQLite plans a join again each time it runs. An account whose erasure has begun has no index of its name. */
  const byDigest = `SELECT ${columns}, (SELECT disabled_at IS NOT NULL FROM accounts WHERE id = account_id) FROM identities
    WHERE digest = $1 AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL)`
  return {
    insert: (identity, indexes, max) =>
      write(function* (): Work<
        Result<void, AccountNotFound | IdentityTaken | IdentityLimitReached | KeyRetired>
      > {
        if (!(yield* isEnabledAccount(dialect, identity.accountId))) return err({ code: 'account_not_found' })
        if ((yield* ownerOf(indexes)) !== undefined) return err({ code: 'identity_taken' })
        return yield* addIdentity(engine, identity, indexes, max)
      }),

    insertAccount: (account, nameIndexes, identity, indexes) =>
      write(function* (): Work<Result<void, AccountExists | IdentityTaken | KeyRetired>> {
        const inserted = yield* insertAccount(engine, account, nameIndexes)
        if (inserted.isErr()) return inserted
        if ((yield* ownerOf(indexes)) !== undefined) return err({ code: 'identity_taken' })
        return yield* insertIdentity(engine, identity, indexes)
      }),

    find: (indexes) =>
      read(function* () {
        for (const index of indexes) {
          const found = yield* row<readonly [...IdentityRow, accountDisabled: unknown]>(byDigest, index)
          if (found !== undefined)
            return { ...identityOf(dialect, found), accountDisabled: flag.out(found.at(-1)) }
        }
        return undefined
      }),

    list: (accountId) =>
      list(
        `SELECT ${columns} FROM identities WHERE account_id = $1 ORDER BY created_at, id`,
        [id.in(accountId)],
        (found: IdentityRow) => identityOf(dialect, found),
      ),

    waysIn: (accountId) => read(() => waysInOf(dialect, accountId)),

    recordUse: (identityId, atMicros) =>
      engine
        .change(
          'UPDATE identities SET last_used_at = $2, refused_at = NULL WHERE id = $1',
          ...[id.in(identityId), atMicros],
        )
        .map((count) => count > 0),

    refuse: (identityId, atMicros) =>
      write(function* () {
        const [account] =
          (yield* row<[SqlValue]>(
            'UPDATE identities SET refused_at = $2 WHERE id = $1 RETURNING account_id',
            ...[id.in(identityId), atMicros],
          )) ?? []
        if (account === undefined) return ok(false)
        if ((yield* changes('DELETE FROM sessions WHERE account_id = $1', account)) > 0) engine.erased()
        return ok(true)
      }),

    erase: (accountId, identityId, { mayErase, keepSessionId }) =>
      write(function* (): Work<Result<void, IdentityNotFound | LastWayIn>> {
        const ways = yield* waysInOf(dialect, accountId)
        const left = ways.identities.filter((each) => each.id !== identityId)
        if (left.length === ways.identities.length) return err({ code: 'identity_not_found' })
        if (!mayErase({ ...ways, identities: left })) return err({ code: 'last_way_in' })
        yield* changes('DELETE FROM identities WHERE id = $1', id.in(identityId))
        yield* eraseSessionsBegunWith(dialect, accountId, identityId, keepSessionId)
        engine.erased()
        return ok()
      }),

    endSessions: ({ identity: indexes, providerSession, token }) =>
      write(function* () {
        if (!(yield* useToken(token))) return ok(undefined)
        const found = indexes === undefined ? undefined : yield* stored(indexes)
        if (indexes !== undefined && found === undefined) return ok(0)
        const count = yield* endSessions(found, providerSession)
        if (count > 0) engine.erased()
        return ok(count)
      }),

    withTokens: ({ nowMicros, evenAllowed, limit }) =>
      list(
        `SELECT ${id.read('account_id')}, refused_at FROM identities
         WHERE origin = 'allowed' ${evenAllowed ? '' : 'AND refused_at IS NOT NULL'} AND EXISTS
           (SELECT 1 FROM access_tokens t WHERE t.account_id = identities.account_id AND t.revoked_at IS NULL
              AND (t.expires_at IS NULL OR t.expires_at > $1))
         ORDER BY created_at, id LIMIT $2`,
        [nowMicros, limit],
        ([account, refusedAt]: [unknown, number | null]) => ({
          accountId: id.out(account),
          refusedAtMicros: refusedAt ?? undefined,
        }),
      ),
  }
}

interface StoredRow {
  readonly id: SqlValue
  readonly account: SqlValue
}

/** The row that is stored under any of these indexes. */
function* stored(indexes: IdentityIndexes): Work<StoredRow | undefined> {
  for (const index of indexes) {
    const found = yield* row<[SqlValue, SqlValue]>(
      'SELECT id, account_id FROM identities WHERE digest = $1',
      index,
    )
    if (found !== undefined) return { id: found[0], account: found[1] }
  }
  return undefined
}

/** The account that has the identity, as the database spells its id. */
export function* ownerOf(indexes: IdentityIndexes): Work<SqlValue | undefined> {
  return (yield* stored(indexes))?.account
}

/** Adds an identity unless its account has `max`. */
export function* addIdentity(
  engine: Engine,
  identity: StoredIdentity,
  indexes: IdentityIndexes,
  max: number,
): Work<Result<void, IdentityLimitReached | KeyRetired>> {
  const account = engine.dialect.id.in(identity.accountId)
  return (yield* countOf('SELECT count(*) FROM identities WHERE account_id = $1', account)) >= max
    ? err({ code: 'identity_limit_reached' })
    : yield* insertIdentity(engine, identity, indexes)
}

function* insertIdentity(
  engine: Engine,
  identity: StoredIdentity,
  [index]: IdentityIndexes,
): Work<Result<void, KeyRetired>> {
  const { id, texts } = engine.dialect
  const { kid, ciphertext } = identity.name
  return yield* underKey(engine, kid, function* () {
    yield* changes(
      `INSERT INTO identities (id, account_id, origin, created_at, last_used_at, refused_at, kid, digest, ${texts.column('name')})
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      ...[id.in(identity.id), id.in(identity.accountId), identity.origin, identity.createdAtMicros],
      ...[identity.lastUsedAtMicros, identity.refusedAtMicros, kid, index, yield* texts.insert(ciphertext)],
    )
  })
}

function* endSessions(
  identity: StoredRow | undefined,
  providerSession: Uint8Array | undefined,
): Work<number> {
  if (identity === undefined)
    return yield* changes('DELETE FROM sessions WHERE provider_session = $1', providerSession)
  const begun = 'DELETE FROM sessions WHERE account_id = $1 AND way_in_id = $2'
  return providerSession === undefined
    ? yield* changes(begun, identity.account, identity.id)
    : yield* changes(`${begun} AND provider_session = $3`, identity.account, identity.id, providerSession)
}
