import type {
  AccountNotFound,
  KeyRetired,
  StoredWelcome,
  Uuid,
  WelcomeKind,
  WelcomeSpending,
  WelcomeStore,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { isEnabledAccount } from './accounts.ts'
import { passwordViolation, setPassword } from './passwords.ts'
import { insertSession } from './sessions.ts'

/** What makes a one-time link usable. */
const isUsable = `w.expires_at > $2
  AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = w.account_id AND a.disabled_at IS NULL)`

const findBy = (column: 'digest' | 'account_id') => ({
  name: `welcomes_find_by_${column}`,
  text: `SELECT w.account_id, w.kind, w.created_at, w.expires_at FROM welcomes w WHERE w.${column} = $1 AND ${isUsable}`,
})
const [find, findOfAccount] = [findBy('digest'), findBy('account_id')]
const eraseExpired = {
  name: 'welcomes_erase_expired',
  text: `DELETE FROM welcomes WHERE digest IN
    (SELECT digest FROM welcomes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`,
}

type Row = [accountId: Uuid, kind: WelcomeKind, createdAt: number, expiresAt: number]

export function createWelcomes(db: Database): WelcomeStore {
  return {
    replace: createReplace(db),

    find: (digest, nowMicros) =>
      db.read(async (sql) => {
        const row = await sql.row<Row>(find, [digest, nowMicros])
        return row && welcomeOf(row)
      }),

    findOfAccount: (accountId, nowMicros) =>
      db.read(async (sql) => {
        const row = await sql.row<Row>(findOfAccount, [accountId, nowMicros])
        return row && welcomeOf(row)
      }),

    spend: (digest, spending) =>
      db.transaction<boolean, KeyRetired>(async (sql) => ok(await spend(sql, digest, spending)), {
        violation: passwordViolation,
      }),

    eraseExpired: (expiredByMicros, limit) =>
      db.statement(async (sql) => ok(await sql.changes(eraseExpired, [expiredByMicros, limit]))),
  }
}

function welcomeOf([accountId, kind, createdAtMicros, expiresAtMicros]: Row): StoredWelcome {
  return { accountId, kind, createdAtMicros, expiresAtMicros }
}

const put = {
  name: 'welcomes_put',
  text: `INSERT INTO welcomes (account_id, kind, created_at, expires_at, digest) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (account_id) DO UPDATE SET kind = excluded.kind, created_at = excluded.created_at,
      expires_at = excluded.expires_at, digest = excluded.digest`,
}

function createReplace(db: Database): WelcomeStore['replace'] {
  return ({ accountId, kind, createdAtMicros, expiresAtMicros }, digest) =>
    db.transaction(async (sql): Promise<Result<void, AccountNotFound>> => {
      if (!(await isEnabledAccount(sql, accountId))) return err({ code: 'account_not_found' })
      await sql.changes(put, [accountId, kind, createdAtMicros, expiresAtMicros, digest])
      return ok()
    })
}

const take = {
  name: 'welcomes_take',
  text: `DELETE FROM welcomes w WHERE w.digest = $1 AND ${isUsable} RETURNING w.kind`,
}
const hasPassword = {
  name: 'welcomes_has_password',
  text: 'SELECT 1 FROM passwords WHERE account_id = $1',
}
const revokeTokens = {
  name: 'welcomes_revoke_tokens',
  text: 'UPDATE access_tokens SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL',
}
const endSessions = {
  name: 'welcomes_end_sessions',
  text: 'DELETE FROM sessions WHERE account_id = $1',
}
const eraseWebhooks = {
  name: 'welcomes_erase_webhooks',
  text: 'DELETE FROM webhooks WHERE account_id = $1',
}
const eraseTargets = {
  name: 'welcomes_erase_targets',
  text: "DELETE FROM targets WHERE account_id = $1 AND kind = 'webhook'",
}

async function spend(
  sql: Sql,
  digest: Uint8Array,
  { nowMicros, password, session, sessionDigest }: WelcomeSpending,
): Promise<boolean> {
  const [kind] = (await sql.row<[WelcomeKind]>(take, [digest, nowMicros])) ?? []
  if (kind === undefined) return false
  const { accountId } = password
  const replacesPassword = (await sql.row(hasPassword, [accountId])) !== undefined
  if (kind === 'invite' && replacesPassword) await sql.changes(revokeTokens, [accountId, nowMicros])
  if (kind === 'reset' || replacesPassword) {
    await sql.changes(eraseWebhooks, [accountId])
    await sql.changes(eraseTargets, [accountId])
  }
  await sql.changes(endSessions, [accountId])
  await setPassword(sql, password)
  await insertSession(sql, session, sessionDigest)
  return true
}
