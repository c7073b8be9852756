import type { Delivery, Lease, Target } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import { err, errAsync, ok, okAsync, ResultAsync } from 'neverthrow'
import { startNotifier, type Notifier, type NotifierOptions } from '../../src/notifications/notifier.ts'
import { createTestTimers, type TestTimers } from './timers.ts'

const failure = { code: 'storage_failed', detail: 'disk I/O error' } as const

/** A queue of leases, and what a notifier did with it. */
export interface TestQueue {
  /** Events that no target was chosen for yet. */
  events: number
  /** What can be leased. */
  readonly leases: Lease[]
  nextDueMicros: number | undefined
  oldestMicros: number | undefined
  isBroken: boolean
  /** Leases whose sending does not end before {@link release}. */
  readonly hanging: Set<string>
  /** What was called: `distribute`, `lease mail`, `deliver 1`, `delivered 1`, `state`. */
  readonly calls: string[]
  /** Ends the sending of a lease. */
  release(leaseId: string): void
  /** How often a call was made. */
  count(call: string): number
}

export interface TestNotifier extends Notifier {
  readonly queue: TestQueue
  readonly timers: TestTimers
  readonly log: string[]
}

/** A notifier on a queue in memory, whose time passes only when the test says so. */
export function startTestNotifier(
  options: Partial<Pick<NotifierOptions, 'concurrency' | 'kinds' | 'stopMillis'>> & {
    readonly events?: number
  } = {},
): TestNotifier {
  const timers = createTestTimers()
  const queue = createQueue(options.events ?? 0)
  const log: string[] = []
  const write = (details: object, message: string): void =>
    void log.push(`${message} ${JSON.stringify(details)}`)
  const notifier = startNotifier({
    ...options,
    ...portsOf(queue),
    clock: { nowMicros: timers.nowMicros },
    timers,
    log: { warn: write },
  })
  return { ...notifier, queue, timers, log }
}

/** A lease of one target; its id is also that of the target. */
export function leaseOf(id: string, kind: Target['kind'] = 'webhook', deliveries = 1): Lease {
  const target: Target = kind === 'mail' ? { kind, accountId: id } : { kind, accountId: 'a', webhookId: id }
  return { id, target, deliveries: new Array<Delivery>(deliveries) }
}

function createQueue(events: number): TestQueue {
  const calls: string[] = []
  const hanging = new Set<string>()
  return {
    events,
    leases: [],
    nextDueMicros: undefined,
    oldestMicros: undefined,
    isBroken: false,
    hanging,
    calls,
    release(leaseId) {
      hanging.delete(leaseId)
    },
    count: (call) => calls.filter((made) => made === call).length,
  }
}

function portsOf(queue: TestQueue): Pick<NotifierOptions, 'sotto' | 'deliveries'> {
  const answer = <T>(value: () => T) => (queue.isBroken ? errAsync(failure) : okAsync(value()))
  return {
    sotto: {
      distributeEvents({ limit } = {}) {
        queue.calls.push('distribute')
        return answer(() => {
          const distributed = Math.min(queue.events, limit ?? 0)
          queue.events -= distributed
          return { distributed, more: queue.events > 0 }
        })
      },
      leaseDeliveries({ kind, targets, perTarget }) {
        queue.calls.push(`lease ${kind}`, `lease ${kind} ${targets} × ${perTarget}`)
        return answer(() => takeLeases(queue, { kind, targets, perTarget }))
      },
      deliverLease({ lease, shouldStop }) {
        queue.calls.push(`deliver ${lease.id}`)
        return new ResultAsync(deliver(queue, lease.id, shouldStop))
      },
      getQueueState() {
        queue.calls.push('state')
        const { events, leases, oldestMicros } = queue
        return answer(() => ({ events, waiting: leases.length, dead: 2, oldestMicros }))
      },
    },
    deliveries: { nextDue: () => answer(() => queue.nextDueMicros) },
  }
}

function takeLeases(
  queue: TestQueue,
  { kind, targets, perTarget }: Parameters<FullSotto['leaseDeliveries']>[0],
): Lease[] {
  const taken = queue.leases.filter(({ target }) => target.kind === kind).slice(0, targets)
  for (const lease of taken) queue.leases.splice(queue.leases.indexOf(lease), 1)
  return taken.map((lease) => ({ ...lease, deliveries: lease.deliveries.slice(0, perTarget) }))
}

async function deliver(queue: TestQueue, id: string, shouldStop: (() => boolean) | undefined) {
  while (queue.hanging.has(id)) await new Promise((resolve) => setImmediate(resolve))
  queue.calls.push(`delivered ${id}${shouldStop?.() === true ? ', stopping' : ''}`)
  return queue.isBroken ? err(failure) : ok({ delivered: 1, failed: 0, dead: 0 })
}
