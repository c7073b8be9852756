import type { InvitationTaking, StoredIdentity } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { noonMicros, type Samples } from '../shared/samples.ts'

/** What the spending of a one-time link with an identity leaves behind: a new identity and a new session. */
export function taking(make: Samples, accountId: Uuid, columns?: Partial<StoredIdentity>): InvitationTaking {
  return {
    nowMicros: noonMicros,
    identity: make.identity(accountId, { origin: 'invited', ...columns }),
    indexes: [make.nameIndex()],
    session: make.session(accountId),
    sessionDigest: make.tokenDigest(),
    providerSession: make.tokenDigest(),
  }
}
