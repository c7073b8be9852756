import type { AccountNotFound, KeyRetired, StoredWelcome, WelcomeKind, WelcomeStore } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { isEnabledAccountSql } from './accounts.ts'
import { uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { createSetPassword } from './passwords.ts'
import { createInsertSession } from './sessions.ts'

type Row = [accountId: string, kind: WelcomeKind, createdAt: number, expiresAt: number]

/** What makes a one-time link usable. */
const isUsable = `expires_at > ?
  AND EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND disabled_at IS NULL)`

export function createWelcomes(connections: Connections, keyCheck: KeyCheck): WelcomeStore {
  const { reader, writer, read, write } = connections
  const prepareFind = (column: 'digest' | 'account_id') =>
    reader
      .prepare<[Uint8Array, number], Row>(
        `SELECT hex(account_id), kind, created_at, expires_at FROM welcomes WHERE ${column} = ? AND ${isUsable}`,
      )
      .raw()
  const [find, findOfAccount] = [prepareFind('digest'), prepareFind('account_id')]
  const eraseExpired = writer.prepare(
    `DELETE FROM welcomes WHERE rowid IN
       (SELECT rowid FROM welcomes WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  )

  return {
    replace: createReplace(connections),

    find: (digest, nowMicros) =>
      read(() => {
        const row = find.get(digest, nowMicros)
        return row && welcomeOf(row)
      }),

    findOfAccount: (accountId, nowMicros) =>
      read(() => {
        const row = findOfAccount.get(uuidBytes(accountId), nowMicros)
        return row && welcomeOf(row)
      }),

    spend: createSpend(connections, keyCheck),

    eraseExpired: (expiredByMicros, limit) =>
      write(() => {
        const rows = eraseExpired.run(expiredByMicros, limit).changes
        if (rows > 0) connections.erased()
        return ok(rows)
      }),
  }
}

function welcomeOf([accountId, kind, createdAtMicros, expiresAtMicros]: Row): StoredWelcome {
  return { accountId: uuidOf(accountId), kind, createdAtMicros, expiresAtMicros }
}

function createReplace({ writer, write, erased }: Connections): WelcomeStore['replace'] {
  const isEnabled = writer.prepare<[Buffer], number>(isEnabledAccountSql).pluck()
  const erase = writer.prepare('DELETE FROM welcomes WHERE account_id = ?')
  const insert = writer.prepare(
    'INSERT INTO welcomes (account_id, kind, created_at, expires_at, digest) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ accountId, kind, createdAtMicros, expiresAtMicros }, digest) =>
    write((): Result<void, AccountNotFound> => {
      const account = uuidBytes(accountId)
      if (isEnabled.get(account) === undefined) return err({ code: 'account_not_found' })
      if (erase.run(account).changes > 0) erased()
      insert.run(account, kind, createdAtMicros, expiresAtMicros, digest)
      return ok()
    })
}

function createSpend(connections: Connections, keyCheck: KeyCheck): WelcomeStore['spend'] {
  const { writer, write } = connections
  const erase = writer
    .prepare<[Uint8Array, number], WelcomeKind>(
      `DELETE FROM welcomes WHERE digest = ? AND ${isUsable} RETURNING kind`,
    )
    .pluck()
  const hasPassword = writer.prepare<[Buffer], number>('SELECT 1 FROM passwords WHERE account_id = ?').pluck()
  const revokeTokens = writer.prepare(
    'UPDATE access_tokens SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL',
  )
  const endSessions = writer.prepare('DELETE FROM sessions WHERE account_id = ?')
  const eraseWebhooks = writer.prepare('DELETE FROM webhooks WHERE account_id = ?')
  const eraseTargets = writer.prepare("DELETE FROM targets WHERE account_id = ? AND kind = 'webhook'")
  const setPassword = createSetPassword(connections)
  const insertSession = createInsertSession(connections)

  return (digest, { nowMicros, password, session, sessionDigest }) =>
    write((): Result<boolean, KeyRetired> => {
      const kind = erase.get(digest, nowMicros)
      if (kind === undefined) return ok(false)
      const account = uuidBytes(password.accountId)
      const replacesPassword = hasPassword.get(account) !== undefined
      if (kind === 'invite' && replacesPassword) revokeTokens.run(nowMicros, account)
      if (kind === 'reset' || replacesPassword) {
        eraseWebhooks.run(account)
        eraseTargets.run(account)
      }
      endSessions.run(account)
      return keyCheck(password.hash.kid, () => setPassword(password)).map(() => {
        insertSession(session, sessionDigest)
        return true
      })
    })
}
