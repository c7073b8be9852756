import type {
  IdentityIndexes,
  IdentityLimitReached,
  IdentityNotFound,
  IdentityStore,
  IdentityTaken,
  LastAuthenticator,
  RefusedAccount,
  StoredIdentity,
} from '@sotto/identity'
import type { AccountExists, AccountNotFound, KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { insertAccount, isEnabledAccount } from '../accounts/accounts.ts'
import { underKey } from '../engine/codec.ts'
import {
  changes,
  countOf,
  row,
  type Dialect,
  type Engine,
  type SqlValue,
  type Work,
} from '../engine/engine.ts'
import { identitiesOf, identityRows, statusRows } from './identity-rows.ts'
import type { SpendLink } from '../invitations/invitations.ts'
import { eraseSessionsBegunWith, insertSession } from '../sessions/sessions.ts'
import { useToken } from '../sessions/used-tokens.ts'
import type { ReadAuthenticators } from '../authenticators/read-authenticators.ts'

/** The identities that owners sign in with. */
export function createIdentities(
  engine: Engine,
  readAuthenticators: ReadAuthenticators,
  spendLink: SpendLink,
): IdentityStore {
  const { dialect, read, list, write } = engine
  const { id, flag } = dialect
  const statuses = statusRows(dialect)
  /** An account whose erasure has begun has no index of its name. */
  const byDigest = `SELECT ${statuses.columns} FROM identities WHERE digest = $1
    AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL)`
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
          const found = yield* row(byDigest, index)
          if (found !== undefined) return statuses.read(found)
        }
        return undefined
      }),

    list: (accountId) => read(() => identitiesOf(dialect, id.in(accountId))),

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
      write(function* (): Work<Result<void, IdentityNotFound | LastAuthenticator>> {
        const found = yield* readAuthenticators(accountId)
        const left = found.identities.filter((each) => each.id !== identityId)
        if (left.length === found.identities.length) return err({ code: 'identity_not_found' })
        if (!mayErase({ ...found, identities: left })) return err({ code: 'last_way_in' })
        yield* changes('DELETE FROM identities WHERE id = $1', id.in(identityId))
        yield* eraseSessionsBegunWith(dialect, accountId, identityId, keepSessionId)
        engine.erased()
        return ok()
      }),

    takeInvitation: (
      digest,
      { nowMicros, identity, indexes, session, sessionDigest, providerSession },
      max,
    ) =>
      write(function* (): Work<Result<boolean, IdentityTaken | IdentityLimitReached | KeyRetired>> {
        if (!(yield* spendLink(digest, nowMicros))) return ok(false)
        const account = id.in(identity.accountId)
        yield* changes('DELETE FROM passwords WHERE account_id = $1', account)
        engine.erased()
        for (const index of indexes) {
          const owner = yield* ownerOf([index])
          if (owner !== undefined && id.out(owner) !== identity.accountId)
            return err({ code: 'identity_taken' })
          yield* changes('DELETE FROM identities WHERE digest = $1', index)
        }
        const added = yield* addIdentity(engine, identity, indexes, max)
        if (added.isErr()) return err(added.error)
        yield* insertSession(dialect, session, {
          digest: sessionDigest,
          authenticatorId: identity.id,
          providerSession,
        })
        return ok(true)
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

    refusedWithAccess: ({ nowMicros, sessionsOver: over, evenAllowed, limit }) =>
      list(
        withAccess(dialect, evenAllowed ? 'true' : wasRefused),
        [nowMicros, over.createdByMicros, over.lastUsedByMicros, limit, flag.in(true)],
        ([account, ...counts]: readonly [unknown, ...number[]]): RefusedAccount => {
          const [passwords = 0, passkeys = 0, sessions = 0, accessTokens = 0] = counts
          return { accountId: id.out(account), hasPassword: passwords > 0, passkeys, sessions, accessTokens }
        },
      ),
  }
}

/** No identity of the account was used after the last refusal of one of them, or none was ever used. */
const wasRefused = `(SELECT coalesce(max(refused_at), 0) >= coalesce(max(last_used_at), 0) FROM identities WHERE account_id = a.id)`

/**
 * The access of held accounts that satisfy a condition: $1 is the time, $2 and $3 are the times before which sessions are over, $4 is the
 * limit, $5 true.
 */
function withAccess({ id }: Dialect, condition: string): string {
  const count = (table: string, usable = '') =>
    `(SELECT count(*) FROM ${table} x WHERE x.account_id = a.id${usable})`
  return `SELECT ${id.read('id')}, passwords, passkeys, sessions, tokens FROM (
      SELECT a.id, a.created_at, ${count('passwords')} AS passwords, ${count('passkeys')} AS passkeys,
        ${count('sessions', ' AND x.created_at > $2 AND x.last_used_at > $3')} AS sessions,
        ${count('access_tokens', ' AND x.revoked_at IS NULL AND (x.expires_at IS NULL OR x.expires_at > $1)')} AS tokens
      FROM accounts a WHERE a.held = $5 AND a.name_index IS NOT NULL AND ${condition}) AS refused
    WHERE passwords + passkeys + sessions + tokens > 0 ORDER BY created_at, id LIMIT $4`
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

/** Erases the identities of an account, inside work. */
export function eraseIdentities(account: SqlValue): Work<number> {
  return changes('DELETE FROM identities WHERE account_id = $1', account)
}

/** The account that has the identity, as the database spells its id. */
function* ownerOf(indexes: IdentityIndexes): Work<SqlValue | undefined> {
  return (yield* stored(indexes))?.account
}

/** Adds an identity unless its account has `max`. */
function* addIdentity(
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

function insertIdentity(
  engine: Engine,
  identity: StoredIdentity,
  [digest]: IdentityIndexes,
): Work<Result<void, KeyRetired>> {
  return underKey(engine, identity.name.kid, () =>
    identityRows(engine.dialect).insert({ ...identity, digest }),
  )
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
