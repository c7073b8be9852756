import type { EmailChangeStore, StoredEmailChange } from '@sotto/identity'
import type { AccountExists, AccountNotFound, Ciphertext, KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isEnabledAccount, renameAccount } from '../accounts/accounts.ts'
import { changes, row, type Dialect, type Engine, type Work } from '../engine/engine.ts'

type Row = [accountId: unknown, createdAt: number, expiresAt: number, email: Uint8Array]

const usable = `SELECT account_id, created_at, expires_at, email FROM email_changes
  WHERE digest = $1 AND expires_at > $2
    AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL AND disabled_at IS NULL)`

/** The changes of email addresses that wait for their link. */
export function createEmailChanges(engine: Engine): EmailChangeStore {
  const { dialect, find, write } = engine
  return {
    replace: ({ accountId, email, createdAtMicros, expiresAtMicros }, digest) =>
      write(function* (): Work<Result<void, AccountNotFound>> {
        if (!(yield* isEnabledAccount(dialect, accountId))) return err({ code: 'account_not_found' })
        const account = dialect.id.in(accountId)
        yield* changes('DELETE FROM email_changes WHERE account_id = $1', account)
        yield* changes(
          'INSERT INTO email_changes (account_id, created_at, expires_at, digest, email) VALUES ($1, $2, $3, $4, $5)',
          ...[account, createdAtMicros, expiresAtMicros, digest, email],
        )
        return ok()
      }),

    find: (digest, nowMicros) => find(usable, [digest, nowMicros], (found: Row) => changeOf(dialect, found)),

    // The rename erases it.
    spend: (digest, nowMicros, name, nameIndexes) =>
      write(function* (): Work<Result<boolean, AccountExists | KeyRetired>> {
        const found = yield* row<Row>(usable, digest, nowMicros)
        if (found === undefined) return ok(false)
        const { accountId } = changeOf(dialect, found)
        return (yield* renameAccount(engine, accountId, name, nameIndexes)).map(() => true)
      }),

    eraseExpired: (expiredByMicros, limit) =>
      engine.change(
        `DELETE FROM email_changes WHERE account_id IN
           (SELECT account_id FROM email_changes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`,
        ...[expiredByMicros, limit],
      ),
  }
}

function changeOf(
  { id }: Dialect,
  [account, createdAtMicros, expiresAtMicros, email]: Row,
): StoredEmailChange {
  return { accountId: id.out(account), email: email as Ciphertext, createdAtMicros, expiresAtMicros }
}
