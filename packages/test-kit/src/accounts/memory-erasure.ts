import type { Uuid } from '@sotto/core'
import { eraseTargets } from '../notifications/memory-leases.ts'
import type { MemoryData } from '../stores/memory-data.ts'
import { eraseRequestsOf } from '../requests/memory-requests.ts'
import { eraseSessions } from '../sessions/memory-sessions.ts'

/** What erases what an account has of one kind. */
export type ErasesOf = readonly ((data: MemoryData, accountId: Uuid) => void)[]

/** Erases what lets anyone in to an account. False when there is no such account. */
export function beginErasure(data: MemoryData, id: Uuid, others: ErasesOf): boolean {
  const row = data.accounts.get(id)
  if (row === undefined) return false
  data.accounts.delete(id)
  data.erasing.set(id, { ...row, account: { ...row.account, displayName: undefined } })
  for (const { token } of data.accessTokens.values())
    if (token.accountId === id) data.accessTokens.delete(token.id)
  eraseSessions(data, id)
  data.passwords.delete(id)
  data.invitations.delete(id)
  data.emailChanges.delete(id)
  for (const eraseOf of others) eraseOf(data, id)
  eraseTargets(data, ({ accountId }) => accountId === id)
  for (const [counted, { accountId }] of data.counted) if (accountId === id) data.counted.delete(counted)
  data.claims = data.claims.filter(({ accountId }) => accountId !== id)
  data.knownAddresses = data.knownAddresses.filter(({ accountId }) => accountId !== id)
  return true
}

/** Erases what remains of those accounts, in an order in which no row refers to one that is gone. */
export function eraseBegun(data: MemoryData, limit: number): number {
  const { erasing, secrets, folders } = data
  // Claims of requests that were authenticated before the erasure began are not counted.
  data.claims = data.claims.filter(({ accountId }) => !erasing.has(accountId))
  eraseRequestsOf(data, (accountId) => erasing.has(accountId))
  const steps = [
    ...secrets
      .values()
      .filter(({ secret }) => erasing.has(secret.accountId))
      .map(
        ({ secret }) =>
          () =>
            secrets.delete(secret.id),
      ),
    ...folders
      .values()
      .filter(({ accountId }) => erasing.has(accountId))
      .map(
        ({ id }) =>
          () =>
            folders.delete(id),
      ),
    ...erasing.keys().map((id) => () => erasing.delete(id)),
  ].slice(0, limit)
  for (const step of steps) step()
  return steps.length
}
