import { isExpired, type WelcomeStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { revokeTokens } from './memory-access-tokens.ts'
import { equalBytes, keyRetired, taken, type MemoryConnection, type WelcomeRow } from './memory-data.ts'
import { eraseSessions, isSessionTaken } from './memory-sessions.ts'
import { eraseWebhook, webhooksOf } from './memory-webhooks.ts'

export function createMemoryWelcomes({ data, answer, isEnabled, mayWrite }: MemoryConnection): WelcomeStore {
  const rowWith = (digest: Uint8Array): WelcomeRow | undefined =>
    data.welcomes.values().find((row) => equalBytes(row.digest, digest))
  const usable = (row: WelcomeRow | undefined, nowMicros: number): WelcomeRow['welcome'] | undefined => {
    const welcome = row?.welcome
    if (welcome === undefined || isExpired(welcome.expiresAtMicros, nowMicros)) return undefined
    return isEnabled(welcome.accountId) ? welcome : undefined
  }
  return {
    replace: (welcome, digest) =>
      answer(() => {
        const { accountId } = welcome
        if (!isEnabled(accountId)) return err({ code: 'account_not_found' })
        const same = rowWith(digest)
        if (same !== undefined && same.welcome.accountId !== accountId) return err(taken)
        data.welcomes.set(accountId, structuredClone({ welcome, digest }))
        return ok()
      }),

    find: (digest, nowMicros) => answer(() => ok(usable(rowWith(digest), nowMicros))),

    findOfAccount: (accountId, nowMicros) =>
      answer(() => ok(usable(data.welcomes.get(accountId), nowMicros))),

    spend: (digest, { nowMicros, password, session, sessionDigest }) =>
      answer(() => {
        const welcome = usable(rowWith(digest), nowMicros)
        if (welcome === undefined) return ok(false)
        const { accountId, kind } = welcome
        if (!mayWrite(password.hash)) return err(keyRetired)
        if (isSessionTaken(data, session.id, sessionDigest)) return err(taken)
        data.welcomes.delete(accountId)
        data.emailChanges.delete(accountId)
        const replacesPassword = data.passwords.has(accountId)
        if (kind === 'invite' && replacesPassword) revokeTokens(data, accountId, nowMicros)
        if (kind === 'reset' || replacesPassword) {
          for (const { id } of webhooksOf(data, accountId)) eraseWebhook(data, id)
        }
        data.passwords.set(accountId, structuredClone(password))
        eraseSessions(data, accountId)
        data.sessions.set(session.id, structuredClone({ session, digest: sessionDigest }))
        return ok(true)
      }),

    eraseExpired: (expiredByMicros, limit) =>
      answer(() => {
        const expired = [...data.welcomes.values()]
          .filter(({ welcome }) => isExpired(welcome.expiresAtMicros, expiredByMicros))
          .slice(0, limit)
        for (const { welcome } of expired) data.welcomes.delete(welcome.accountId)
        return ok(expired.length)
      }),
  }
}
