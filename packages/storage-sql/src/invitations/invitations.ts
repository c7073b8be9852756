import type { StoredInvitation, InvitationStore } from '@sotto/identity'
import type { AccountNotFound, KeyRetired, InvitationKind } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { eraseLinks, isEnabledAccount } from '../accounts/accounts.ts'
import { changes, exists, row, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { setPassword } from '../passwords/passwords.ts'
import { insertSession } from '../sessions/sessions.ts'
import { invitationTables } from './tables.ts'

const invitationRows = rowsOf(invitationTables.invitations).as<
  StoredInvitation,
  { readonly digest: Uint8Array }
>(
  {
    accountId: 'account_id',
    kind: 'kind',
    createdAtMicros: 'created_at',
    expiresAtMicros: 'expires_at',
    isAsked: 'asked',
  },
  { digest: 'digest' },
)

/** What makes a one-time link usable; $2 is the time. */
const isUsable = `expires_at > $2
  AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND disabled_at IS NULL)`

const madeByOperator = 'SELECT 1 FROM welcomes WHERE account_id = $1 AND expires_at > $2 AND asked = $3'

/** The one-time links with which owners choose a password. */
export function createInvitations(engine: Engine, spendLink: SpendLink): InvitationStore {
  const { dialect, write } = engine
  const { id, flag } = dialect
  const invitations = invitationRows(dialect)
  const find = (column: 'digest' | 'account_id', key: SqlValue, nowMicros: number) =>
    engine.find(
      `SELECT ${invitations.columns} FROM welcomes WHERE ${column} = $1 AND ${isUsable}`,
      [key, nowMicros],
      invitations.read,
    )

  return {
    replace: (invitation, digest) =>
      write(function* (): Work<Result<boolean, AccountNotFound>> {
        const { accountId, createdAtMicros, isAsked } = invitation
        if (!(yield* isEnabledAccount(dialect, accountId))) return err({ code: 'account_not_found' })
        const account = id.in(accountId)
        if (isAsked && (yield* exists(madeByOperator, account, createdAtMicros, flag.in(false))))
          return ok(false)
        if ((yield* changes('DELETE FROM welcomes WHERE account_id = $1', account)) > 0) engine.erased()
        yield* invitations.insert({ ...invitation, digest })
        return ok(true)
      }),

    find: (digest, nowMicros) => find('digest', digest, nowMicros),

    findOfAccount: (accountId, nowMicros) => find('account_id', id.in(accountId), nowMicros),

    spend: (digest, { nowMicros, password, session, sessionDigest }) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        if (!(yield* spendLink(digest, nowMicros))) return ok(false)
        const set = yield* setPassword(engine, password)
        if (set.isErr()) return err(set.error)
        yield* insertSession(dialect, session, { digest: sessionDigest, authenticatorId: password.id })
        return ok(true)
      }),

    eraseExpired: (expiredByMicros, limit) =>
      write(function* () {
        const count = yield* changes(
          `DELETE FROM welcomes WHERE digest IN
             (SELECT digest FROM welcomes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`,
          ...[expiredByMicros, limit],
        )
        if (count > 0) engine.erased()
        return ok(count)
      }),
  }
}

/** Erases what an account has of one kind, inside work. */
export type EraseAccess = (account: SqlValue) => Work<unknown>

/**
 * Spends a one-time link, inside work: erases the authenticators and sessions that gave access to its account before, and revokes the access
 * tokens when an invitation replaces a password. False when there is no such link that can be used.
 */
export type SpendLink = (digest: Uint8Array, nowMicros: number) => Work<boolean>

/** @param replaced what a reset, and an invitation that replaces a password, erases of the account */
export function createSpendLink(replaced: readonly EraseAccess[]): SpendLink {
  return function* (digest, nowMicros) {
    const [account, kind] =
      (yield* row<[SqlValue, InvitationKind]>(
        `DELETE FROM welcomes WHERE digest = $1 AND ${isUsable} RETURNING account_id, kind`,
        ...[digest, nowMicros],
      )) ?? []
    if (account === undefined) return false
    const replacesPassword = yield* exists('SELECT 1 FROM passwords WHERE account_id = $1', account)
    if (kind === 'invite' && replacesPassword)
      yield* changes(
        'UPDATE access_tokens SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL',
        ...[account, nowMicros],
      )
    if (kind === 'reset' || replacesPassword) for (const eraseAccess of replaced) yield* eraseAccess(account)
    yield* changes('DELETE FROM sessions WHERE account_id = $1', account)
    yield* eraseLinks(account)
    return true
  }
}
