import type { Policy, QuotaLimits } from '../policy.ts'
import type { Digests } from '../shared/digests.ts'
import { anObjectOf, aString, oneOf } from '../shared/inputs.ts'
import { account } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import type { Uuid } from '../shared/uuid.ts'
import { countCall, countCallNeeds, ownerBucket, quotaOf, testLimits, type Quota } from './count-call.ts'

/**
 * The calls that are counted together: an account's, all of its tokens together; what its owner changes on the pages; what its owner
 * withdraws or ends on the pages, for each session, so that somebody with a stolen session cannot use up what the owner needs to end it;
 * the tests that its owner has sent, up to `testLimits`; or those of an address without valid credentials.
 */
export type QuotaBucket =
  | { readonly kind: 'account'; readonly accountId: Uuid }
  | { readonly kind: 'pages'; readonly accountId: Uuid }
  | { readonly kind: 'session'; readonly sessionId: Uuid }
  | { readonly kind: 'tests'; readonly accountId: Uuid }
  | { readonly kind: 'address'; readonly address: string }

const ofAccount = anObjectOf({ kind: oneOf('account', 'pages', 'tests'), ...account })
const ofSession = anObjectOf({ kind: oneOf('session'), sessionId: aString })
const ofAddress = anObjectOf({ kind: oneOf('address'), address: aString })

function aBucket(value: unknown): value is QuotaBucket {
  return ofAccount(value) || ofSession(value) || ofAddress(value)
}

/**
 * Counts one call.
 * @errors `quota_exceeded` when a window is full; the call is then not counted
 */
export const takeQuota = useCase({
  needs: [...countCallNeeds, 'digests.addressBucket', 'policy.quota'],
  takes: { bucket: aBucket },
  run: async (deps, { bucket }) =>
    countCall(deps, bucketName(bucket, deps.digests), limitsOf(bucket, deps.policy)),
})

/** The current quota. Counts no call. */
export const peekQuota = useCase({
  needs: ['quota.peek', 'digests.addressBucket', 'clock.nowMicros', 'policy.quota'],
  takes: { bucket: aBucket },
  async run({ quota, digests, clock, policy }, { bucket }) {
    const windows = await quota.peek(bucketName(bucket, digests), clock.nowMicros())
    return windows.map((found): Quota => quotaOf(found, limitsOf(bucket, policy)))
  },
})

function limitsOf({ kind }: QuotaBucket, { quota }: Pick<Policy, 'quota'>): QuotaLimits {
  return kind === 'tests' ? testLimits : quota
}

function bucketName(bucket: QuotaBucket, digests: Pick<Digests, 'addressBucket'>): string {
  switch (bucket.kind) {
    case 'address':
      return `address/${digests.addressBucket(bucket.address)}`
    case 'session':
      return `session/${bucket.sessionId}`
    default:
      return ownerBucket(bucket)
  }
}
