import type { StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { recordUseCases } from '../stores/record-use.ts'
import { sessionInsertCases } from './session-insert.ts'
import { addSession } from './session-rows.ts'

const useCases = recordUseCases('session-store', async (store, make) => {
  const { session, digest, owner } = await addSession(store, make)
  const { sessions } = store
  return {
    id: session.id,
    find: () => sessions.findByDigest(digest),
    recordUse: (id, atMicros) => sessions.recordUse(id, atMicros),
    end: () => sessions.erase(owner.accountId, session.id),
  }
})

/** What histories do not show of the session store: what `recordUse` may lose, other authenticators, and callers at the same time. */
export const sessionCases: readonly StorageCase[] = [
  neededStoresCase('session-store', 'sessions', [
    ...(['accounts', 'keys', 'passwords', 'identities', 'passkeys', 'invitations'] as const),
  ]),
  ...sessionInsertCases,
  ...useCases,
]
