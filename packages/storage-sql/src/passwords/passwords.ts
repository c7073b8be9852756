import type { PasswordStore, StoredPassword } from '@sotto/identity'
import type { KeyRetired, Uuid } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import type { ReadAuthenticators } from '../authenticators/read-authenticators.ts'
import { eraseLinks } from '../accounts/accounts.ts'
import { underKey } from '../engine/codec.ts'
import { changes, exists, type Dialect, type Engine, type SqlValue, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { passwordTables } from './tables.ts'

const passwordRows = rowsOf(passwordTables.passwords).as<StoredPassword>({
  id: 'id',
  accountId: 'account_id',
  createdAtMicros: 'created_at',
  hash: 'hash',
})

/** The passwords of accounts. */
export function createPasswords(engine: Engine, readAuthenticators: ReadAuthenticators): PasswordStore {
  const { dialect, read, find, write } = engine
  const { id, forUpdate } = dialect
  const passwords = passwordRows(dialect)
  return {
    find: (accountId) =>
      find(
        `SELECT ${passwords.columns} FROM passwords WHERE account_id = $1`,
        [id.in(accountId)],
        passwords.read,
      ),

    authenticators: (accountId) => read(() => readAuthenticators(accountId)),

    replace: (password, { expectedId, keepSessionId }) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        const [account, session] = [id.in(password.accountId), id.in(keepSessionId)]
        if (!(yield* isPassword(dialect, expectedId, password.accountId))) return ok(false)
        // Sessions are ended by single statements, which may interleave: they wait for this lock.
        const hasSession = yield* exists(
          `SELECT 1 FROM sessions WHERE id = $1 AND account_id = $2${forUpdate}`,
          ...[session, account],
        )
        if (!hasSession) return ok(false)
        yield* changes('DELETE FROM sessions WHERE account_id = $1 AND id <> $2', account, session)
        yield* eraseLinks(account)
        return (yield* setPassword(engine, password)).map(() => true)
      }),
  }
}

/** Whether the account has the password with this id. */
function* isPassword({ id }: Dialect, passwordId: Uuid, accountId: Uuid): Work<boolean> {
  return yield* exists(
    'SELECT 1 FROM passwords WHERE id = $1 AND account_id = $2',
    ...[id.in(passwordId), id.in(accountId)],
  )
}

/** Whether an account has a password, inside work. */
export function hasPassword(account: SqlValue): Work<boolean> {
  return exists('SELECT 1 FROM passwords WHERE account_id = $1', account)
}

/** Sets the password of an account, and erases the older one. */
export function* setPassword(engine: Engine, password: StoredPassword): Work<Result<void, KeyRetired>> {
  const { dialect } = engine
  return yield* underKey(engine, password.hash.kid, function* () {
    yield* changes('DELETE FROM passwords WHERE account_id = $1', dialect.id.in(password.accountId))
    yield* passwordRows(dialect).insert(password)
    engine.erased()
  })
}
