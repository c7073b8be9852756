import type { Target } from '@sotto/core'
import type { Installation } from '../installation/installation.ts'
import { startNotifier, type Notifier, type NotifierLog } from './notifier.ts'
import { systemTimers } from '../shared/timers.ts'

/** How {@link startSystemNotifier} logs. */
export interface SystemNotifierLog extends NotifierLog {
  /** A delivery was given up, or a webhook disabled: somebody has to look after it. */
  error(details: object, message: string): void
  /** One more delivery of a webhook that is disabled was given up. */
  debug(details: object, message: string): void
}

/**
 * Starts the notifier of an installation, on the clocks of this machine, and wakes it when this process queues something. Logs what
 * owners and operators have to look after: by ids and reasons, without any address.
 */
export function startSystemNotifier(
  { sotto, ports, watch }: Pick<Installation, 'sotto' | 'ports' | 'watch'>,
  log: SystemNotifierLog,
  { stopMillis }: { readonly stopMillis?: number | undefined } = {},
): Notifier {
  const { deliveries, clock, mailSender, webhookSender } = ports
  const senders = { mail: mailSender, webhook: webhookSender }
  const kinds = (['mail', 'webhook'] as const).filter((kind) => senders[kind] !== undefined)
  const notifier = startNotifier({ sotto, deliveries, clock, kinds, timers: systemTimers, log, stopMillis })
  const unwatch = watch({
    queued: () => notifier.wake(),
    erased: () => undefined,
    gaveUp({ deliveryId, target, failure }) {
      const details = { deliveryId, ...targetIds(target), reason: failure }
      // Everything that waits for it is given up, and the log says once that it was disabled.
      if (failure === 'webhook disabled') log.debug(details, 'a notification was given up')
      else log.error(details, 'a notification was given up: see sotto notification list --dead')
    },
    disabledWebhook(details) {
      log.error(details, 'a webhook was disabled: it gets nothing until a test of it succeeds')
    },
  })
  return {
    wake: () => notifier.wake(),
    async stop() {
      await notifier.stop()
      unwatch()
    },
  }
}

function targetIds(target: Target): object {
  const { kind, accountId } = target
  return kind === 'mail' ? { kind, accountId } : { kind, accountId, webhookId: target.webhookId }
}
