import type { StoredIdentity, Uuid, WaysIn } from '@sotto/core'
import { exists, rows, type Dialect, type Work } from './engine/engine.ts'
import { identityColumns, identityOf, type IdentityRow } from './single-sign-on/identity-rows.ts'

/** What an account's owner can sign in with. */
export function* waysInOf(dialect: Dialect, accountId: Uuid): Work<WaysIn> {
  const account = dialect.id.in(accountId)
  const isHeld = yield* exists(
    'SELECT 1 FROM accounts WHERE id = $1 AND held = $2',
    account,
    dialect.flag.in(true),
  )
  const hasPassword = yield* exists('SELECT 1 FROM passwords WHERE account_id = $1', account)
  const identities: readonly StoredIdentity[] = (yield* rows<IdentityRow>(
    `SELECT ${identityColumns(dialect)} FROM identities WHERE account_id = $1 ORDER BY created_at, id`,
    account,
  )).map((found) => identityOf(dialect, found))
  const passkeys = (yield* rows<[unknown, string]>(
    `SELECT ${dialect.id.read('id')}, rp_id FROM passkeys WHERE account_id = $1 ORDER BY created_at, id`,
    account,
  )).map(([passkey, rpId]) => ({ id: dialect.id.out(passkey), rpId }))
  return { isHeld, hasPassword, identities, passkeys }
}
