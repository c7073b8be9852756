import type { PasswordStore } from '@sotto/identity'
import { err, ok } from 'neverthrow'
import { keyRetired, type MemoryConnection } from '../stores/memory-data.ts'
import type { ReadAuthenticators } from '../authenticators/memory-authenticators.ts'
import { eraseSessions } from '../sessions/memory-sessions.ts'

export function createMemoryPasswords(
  { data, answer, mayWrite }: MemoryConnection,
  authenticatorsOf: ReadAuthenticators,
): PasswordStore {
  return {
    find: (accountId) => answer(() => ok(data.passwords.get(accountId))),

    authenticators: (accountId) => answer(() => ok(authenticatorsOf(data, accountId))),

    replace: (password, { expectedId, keepSessionId }) =>
      answer(() => {
        if (data.passwords.get(password.accountId)?.id !== expectedId) return ok(false)
        if (data.sessions.get(keepSessionId)?.session.accountId !== password.accountId) return ok(false)
        if (!mayWrite(password.hash)) return err(keyRetired)
        data.passwords.set(password.accountId, structuredClone(password))
        data.invitations.delete(password.accountId)
        data.emailChanges.delete(password.accountId)
        eraseSessions(data, password.accountId, keepSessionId)
        return ok(true)
      }),
  }
}
