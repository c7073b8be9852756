import { err, ok, type Result } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import { aFunction, anObject } from '../shared/inputs.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { mailRoute, mailRouteNeeds } from './mails/mail-route.ts'
import type { Delivery, Lease, Settlement, Target } from './queue/delivery-store.ts'
import { nextAttemptMicros, pauseMicros } from './queue/retries.ts'
import type { Route } from './queue/routes.ts'
import type { SendFailed } from './queue/senders.ts'
import { webhookRoute, webhookRouteNeeds } from './webhooks/webhook-route.ts'

const needs = [
  ...mailRouteNeeds,
  ...webhookRouteNeeds,
  'deliveries.release',
  'deliveries.settle',
  'accounts.find',
  'random.bytes',
] as const

type Deps = DepsOf<(typeof needs)[number]>

/** What became of the messages of a lease. Those that nobody is to get any more do not count. */
export interface Delivered {
  /** Sent, and accepted by the receiver. */
  readonly delivered: number
  /** Failed, and to be tried again. */
  readonly failed: number
  /** Failed, and given up. */
  readonly dead: number
}

/**
 * Delivers the messages of one lease, all at the same time, for they are about different secrets; records what became of each as soon as it
 * is known, and releases the lease. What failed is tried again, see `retryDelaysMicros`, or given up. Messages to an account or webhook
 * that is gone, and mails that their owner does not want any more, are dropped; those to a disabled webhook are given up.
 *
 * Each message is delivered at least once: when its outcome cannot be stored, it is sent again under the same id. A storage error ends
 * nothing that is under way; the lease then ends by itself. Once another caller has the lease, nothing more is sent.
 */
export const deliverLease = useCase({
  needs,
  takes: { lease: anObject<Lease> },
  mayTake: {
    /** Asked right before each message is sent: true leaves it to another caller. A process that has to end uses it. */
    shouldStop: aFunction<() => boolean>,
  },
  async run(deps, { lease, shouldStop = () => false }) {
    const route = await routeTo(deps, lease.target)
    if (route.isErr()) return route
    const counts = { delivered: 0, failed: 0, dead: 0 }
    const run: Run = { deps, lease, route: route.value, shouldStop, isLost: false, counts }
    const done = await Promise.all(lease.deliveries.map((delivery) => deliverOne(run, delivery)))
    for (const one of done) if (one.isErr()) return one
    const released = await deps.deliveries.release(lease)
    return released.map((): Delivered => counts)
  },
})

/** Ok(undefined) when the target is to get nothing any more. */
async function routeTo(deps: Deps, target: Target): Promise<Result<Route | undefined, StorageError>> {
  const found = await deps.accounts.find(target.accountId)
  if (found.isErr()) return err(found.error)
  const account = found.value
  if (account === undefined || account.disabledAtMicros !== undefined) return ok(undefined)
  switch (target.kind) {
    case 'mail':
      return ok(mailRoute(deps, account))
    case 'webhook':
      return webhookRoute(deps, target)
  }
}

/** The deliveries of one lease, while they are under way. */
interface Run {
  readonly deps: Deps
  readonly lease: Lease
  readonly route: Route | undefined
  readonly shouldStop: () => boolean
  readonly counts: Record<keyof Delivered, number>
  /** Whether a delivery could not be settled any more, because another caller has the lease. */
  isLost: boolean
}

async function deliverOne(run: Run, delivery: Delivery): Promise<Result<void, StorageError>> {
  const { deps, route, counts } = run
  if (route === undefined || delivery.count === 0) return settle(run, delivery, { outcome: 'done' })
  const prepared = await route.prepare(delivery)
  if (prepared.isErr()) return err(prepared.error)
  if (run.isLost || run.shouldStop()) return ok()
  const sent = await prepared.value()
  const settlement = settlementOf(deps, delivery, sent)
  if (settlement.outcome === 'retry') counts.failed += 1
  else if (settlement.outcome === 'dead') counts.dead += 1
  else counts.delivered += 1
  const settled = await settle(run, delivery, settlement)
  const recorded = await route.recordOutcome(sent)
  if (settled.isErr()) return err(settled.error)
  return recorded.map(() => undefined)
}

function settlementOf(
  { clock, random }: Deps,
  { joins, attempts, target }: Delivery,
  sent: Result<void, SendFailed>,
): Settlement {
  const nowMicros = clock.nowMicros()
  if (sent.isOk())
    return joins && target.kind === 'mail'
      ? { outcome: 'pause', untilMicros: nowMicros + pauseMicros }
      : { outcome: 'done' }
  const { reason: failure, verdict, retryAfterSeconds } = sent.error
  const [jitter = 0] = random.bytes(1)
  const dueAtMicros =
    verdict === 'retry' ? nextAttemptMicros({ attempts, nowMicros, jitter, retryAfterSeconds }) : undefined
  return dueAtMicros === undefined
    ? { outcome: 'dead', atMicros: nowMicros, failure }
    : { outcome: 'retry', dueAtMicros, failure }
}

async function settle(
  run: Run,
  { id }: Delivery,
  settlement: Settlement,
): Promise<Result<void, StorageError>> {
  const settled = await run.deps.deliveries.settle(run.lease, id, settlement)
  return settled.map((isMine) => {
    if (!isMine) run.isLost = true
  })
}
