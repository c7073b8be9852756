import type { Uuid } from '@sotto/core'
import { sessionsOverAt } from '@sotto/identity'
import { noonMicros, type Samples } from '../shared/samples.ts'
import type { Call, StorageUnderTest } from '../stores/harness.ts'
import { taking } from './identity-rows.ts'

/** A call of every method of the store of identities. */
export function callsOfIdentities(
  { identities }: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
): readonly Call[] {
  const [identity, digest] = [make.identity(accountId), make.tokenDigest()]
  const token = { digest, eraseAtMicros: noonMicros }
  const account = make.account()
  const owned = make.identity(account.id)
  return [
    () => identities.insert(identity, [digest], 5),
    () => identities.insertAccount(account, [digest], owned, [digest]),
    () => identities.find([digest]),
    () => identities.list(accountId),
    () => identities.takeInvitation(digest, taking(make, accountId), 5),
    () => identities.recordUse(identity.id, noonMicros),
    () => identities.refuse(identity.id, noonMicros),
    () => identities.erase(accountId, identity.id, { mayErase: () => true }),
    () => identities.endSessions({ identity: [digest], providerSession: digest, token }),
    () =>
      identities.refusedWithAccess({
        nowMicros: noonMicros,
        sessionsOver: sessionsOverAt(noonMicros),
        evenAllowed: true,
        limit: 1,
      }),
  ]
}
