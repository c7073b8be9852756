import type { Clock, DeliveryStore, Lease, Target } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import { isoMicros } from '@sotto/wire'
import { startRepeater, type Repeater } from '../shared/repeater.ts'
import type { Timers } from '../shared/timers.ts'

/**
 * How many messages of a kind are sent at the same time: `sends` in all, `perTarget` of them to one target. Once half of `sends` are under way,
 * a further target gets one at a time, so that receivers that hang with many messages leave room for others.
 */
export interface Concurrency {
  readonly sends: number
  readonly perTarget: number
}

/** Mails all go through one mail server, which takes few connections; each webhook is a server of its own. */
export const usualConcurrency: Readonly<Record<Target['kind'], Concurrency>> = {
  mail: { sends: 4, perTarget: 1 },
  webhook: { sends: 512, perTarget: 16 },
}

/** How many targets are leased in one transaction: others do not wait long for it. */
const targetsAtOnce = 32
/** How often the queue is looked at when nobody wakes the notifier: other processes put messages into it, too. */
const pollMillis = 5_000
/** How soon the queue is looked at again when something is due that nobody can lease. */
const leastWaitMillis = 100
/** How many events get their deliveries in one transaction: up to six each, and others do not wait long for it. */
const eventsAtOnce = 20
const drainCheckMillis = 60_000
/** How long a message may wait before the log says so, and how often it does. */
export const lateMicros = 15 * 60 * 1_000_000
const remindEveryMicros = 3_600 * 1_000_000

/** What `startNotifier` sends with. */
export interface NotifierOptions {
  /** The use-cases of the queue. */
  readonly sotto: Pick<FullSotto, 'distributeEvents' | 'leaseDeliveries' | 'deliverLease' | 'getQueueState'>
  /** Says when the next delivery is due. */
  readonly deliveries: Pick<DeliveryStore, 'nextDue'>
  /** The time that deliveries are due by. */
  readonly clock: Clock
  /** Waits until something is due. */
  readonly timers: Timers
  /** Receives the warnings. */
  readonly log: NotifierLog
  /** The kinds that this process can send; both by default. */
  readonly kinds?: readonly Target['kind'][]
  /** {@link usualConcurrency} by default. */
  readonly concurrency?: Readonly<Record<Target['kind'], Concurrency>>
  /** How long running sends are waited for at the end, in milliseconds; 9,000 by default. */
  readonly stopMillis?: number | undefined
}

/** Where `startNotifier` reports what does not go as it should. The arguments are in pino's order. */
export interface NotifierLog {
  /** The queue cannot be read or recorded, or messages wait for more than 15 minutes. */
  warn(details: object, message: string): void
}

/** A notifier that runs. */
export interface Notifier {
  /** Tells the notifier that something was queued. Costs next to nothing. */
  wake(): void
  /**
   * Begins nothing more, and resolves when what is being sent was sent and recorded, or after `stopMillis`. What was not recorded until
   * then is sent again, under the same id, by whoever runs a notifier when the lease has ended.
   */
  stop(): Promise<void>
}

/**
 * Sends what is queued, until it is stopped: immediately when it is woken, when a message is due, and otherwise every 5 seconds. It chooses
 * the targets of new events, and sends to targets that nobody else has leased. Mails and webhooks do not wait for each other, and no target
 * waits for another one. Several processes may run a notifier on one storage. When the storage fails, it tries again later and less often,
 * and logs the error.
 */
export function startNotifier(options: NotifierOptions): Notifier {
  const { timers, kinds = ['mail', 'webhook'], stopMillis = 9_000 } = options
  let isStopped = false
  const shouldStop = (): boolean => isStopped
  const senders = kinds.map((kind) => startSender(options, kind, shouldStop))
  const distributor = startDistributor(options, () => senders.forEach(({ wake }) => wake()))
  const watch = startRepeater({ step: drainCheck(options), timers })
  return {
    wake: () => distributor.wake(),
    async stop() {
      isStopped = true
      const ended = Promise.all([watch, distributor, ...senders].map((each) => each.stop()))
      await atMost(ended, stopMillis, timers)
    },
  }
}

/** Replaces events by deliveries. */
function startDistributor({ sotto, timers, log }: NotifierOptions, onDistributed: () => void): Repeater {
  const step = async (): Promise<number | 'failed'> => {
    const done = await sotto.distributeEvents({ limit: eventsAtOnce })
    if (done.isErr()) return failed(log, done.error)
    if (done.value.distributed > 0) onDistributed()
    return done.value.more ? 0 : pollMillis
  }
  return startRepeater({ step, timers })
}

/** Sends to the targets of one kind. */
function startSender(options: NotifierOptions, kind: Target['kind'], shouldStop: () => boolean): Repeater {
  const { sotto, deliveries, clock, timers, log, concurrency = usualConcurrency } = options
  const running = new Set<Promise<void>>()
  let sends = 0
  let hasFailed = false

  const deliver = async (lease: Lease): Promise<void> => {
    const delivered = await sotto.deliverLease({ lease, shouldStop })
    if (delivered.isOk() || shouldStop()) return
    hasFailed = true
    failed(log, delivered.error)
  }
  const step = async (): Promise<number | 'failed'> => {
    if (hasFailed) {
      hasFailed = false
      return 'failed'
    }
    const share = shareOf(concurrency[kind], sends)
    if (share.targets === 0) return pollMillis // the end of each lease wakes the sender
    const leased = await sotto.leaseDeliveries({ kind, ...share })
    if (leased.isErr()) return failed(log, leased.error)
    for (const lease of leased.value) {
      sends += lease.deliveries.length
      const sending: Promise<void> = deliver(lease).finally(() => {
        sends -= lease.deliveries.length
        running.delete(sending)
        repeater.wake()
      })
      running.add(sending)
    }
    if (leased.value.length === share.targets) return 0
    const due = await deliveries.nextDue(kind)
    if (due.isErr()) return failed(log, due.error)
    const waitMillis = ((due.value ?? Infinity) - clock.nowMicros()) / 1_000
    return Math.min(Math.max(Math.ceil(waitMillis), leastWaitMillis), pollMillis)
  }
  const repeater = startRepeater({ step, timers })
  return {
    ...repeater,
    async stop() {
      await repeater.stop()
      await Promise.all(running)
    },
  }
}

/** How much the sending of one kind may lease, with this many messages under way. */
function shareOf(
  { sends: most, perTarget }: Concurrency,
  underWay: number,
): { readonly targets: number; readonly perTarget: number } {
  const untilHalf = Math.floor((Math.floor(most / 2) - underWay) / perTarget)
  return untilHalf >= 1
    ? { targets: Math.min(untilHalf, targetsAtOnce), perTarget }
    : { targets: Math.min(most - underWay, targetsAtOnce), perTarget: 1 }
}

/** Logs when messages wait for long. */
function drainCheck({ sotto, clock, log }: NotifierOptions): () => Promise<number | 'failed'> {
  let loggedAtMicros = -Infinity
  return async () => {
    const read = await sotto.getQueueState()
    if (read.isErr()) return failed(log, read.error)
    const { waiting, events, dead, oldestMicros = Infinity } = read.value
    const nowMicros = clock.nowMicros()
    if (nowMicros - oldestMicros > lateMicros && nowMicros - loggedAtMicros >= remindEveryMicros) {
      loggedAtMicros = nowMicros
      const details = { waiting: waiting + events, dead, oldest: isoMicros(oldestMicros) }
      log.warn(details, 'notifications wait for more than 15 minutes: see sotto notification list')
    }
    return drainCheckMillis
  }
}

function failed(log: NotifierLog, error: object): 'failed' {
  log.warn({ error }, 'notifications could not be read or recorded: they are tried again')
  return 'failed'
}

/** Resolves when the work has ended, or after this many milliseconds. */
async function atMost(work: Promise<unknown>, millis: number, timers: Timers): Promise<void> {
  let cancel: (() => void) | undefined
  const bound = new Promise<void>((resolve) => {
    cancel = timers.after(millis, resolve)
  })
  await Promise.race([work, bound])
  cancel?.()
}
