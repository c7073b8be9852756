import type { EmailChangeStore, StoredEmailChange } from '@sotto/identity'
import type { AccountExists, AccountNotFound, KeyRetired } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isEnabledAccount, renameAccount } from '../accounts/accounts.ts'
import { changes, row, type Engine, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { emailChangeTables } from './tables.ts'

const changeRows = rowsOf(emailChangeTables.email_changes).as<
  StoredEmailChange,
  { readonly digest: Uint8Array }
>(
  {
    accountId: 'account_id',
    email: 'email',
    createdAtMicros: 'created_at',
    expiresAtMicros: 'expires_at',
  },
  { digest: 'digest' },
)

const isUsable = `digest = $1 AND expires_at > $2
  AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND name_index IS NOT NULL AND disabled_at IS NULL)`

/** The changes of email addresses that wait for their link. */
export function createEmailChanges(engine: Engine): EmailChangeStore {
  const { dialect, find, write } = engine
  const waiting = changeRows(dialect)
  const usable = `SELECT ${waiting.columns} FROM email_changes WHERE ${isUsable}`
  return {
    replace: (change, digest) =>
      write(function* (): Work<Result<void, AccountNotFound>> {
        if (!(yield* isEnabledAccount(dialect, change.accountId))) return err({ code: 'account_not_found' })
        yield* changes('DELETE FROM email_changes WHERE account_id = $1', dialect.id.in(change.accountId))
        yield* waiting.insert({ ...change, digest })
        return ok()
      }),

    find: (digest, nowMicros) => find(usable, [digest, nowMicros], waiting.read),

    // The rename erases it.
    spend: (digest, nowMicros, name, nameIndexes) =>
      write(function* (): Work<Result<boolean, AccountExists | KeyRetired>> {
        const found = yield* row(usable, digest, nowMicros)
        if (found === undefined) return ok(false)
        const { accountId } = waiting.read(found)
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
