import type { Ports, Settlement, Sotto } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { Instruments } from './instruments.ts'
import { refusalReasons } from './refusal-reasons.ts'

/** The same ports, which count what becomes of messages. Everything else passes as it is. */
export function measurePorts(ports: Ports, { outboxWait, deliveries, lastDelivery }: Instruments): Ports {
  const { clock } = ports
  const settled = (kind: string, { outcome }: Settlement): void => {
    // A pause follows a delivery.
    const isDelivered = outcome === 'done' || outcome === 'pause'
    deliveries.inc({ kind, outcome: isDelivered ? 'done' : outcome })
    if (isDelivered) lastDelivery.set({ kind }, clock.nowMicros() / 1e6)
  }
  return {
    ...ports,
    deliveries: {
      ...ports.deliveries,
      lease: (options) =>
        ports.deliveries.lease(options).andTee((leases) => {
          const due = leases.flatMap((lease) => lease.deliveries)
          for (const { dueAtMicros } of due)
            outboxWait.observe({ kind: options.kind }, Math.max(0, options.nowMicros - dueAtMicros) / 1e6)
        }),
      settle: (lease, id, settlement) =>
        ports.deliveries.settle(lease, id, settlement).andTee((isSettled) => {
          if (isSettled) settled(lease.target.kind, settlement)
        }),
    },
  }
}

/** The same use-cases, which count what they did and what they refused. */
export function measureSotto(sotto: Sotto, { created, opens, refusals, quotaRefusals }: Instruments): Sotto {
  const refusing = <T, E extends { readonly code: string }>(answer: ResultAsync<T, E>): ResultAsync<T, E> =>
    answer.orTee(({ code }) => {
      const reason = refusalReasons.find((known) => known === code)
      if (reason !== undefined) refusals.inc({ reason })
    })
  return {
    ...sotto,
    openSecret: (input) => refusing(sotto.openSecret(input)).andTee(() => opens.inc()),
    authenticate: (input) => refusing(sotto.authenticate(input)),
    signIn: (input) => refusing(sotto.signIn(input)),
    ensureProof: (input) => refusing(sotto.ensureProof(input)),
    createSecret: (input) => refusing(sotto.createSecret(input)).andTee(() => created.inc({ by: 'create' })),
    createSecretOnce: (input) =>
      refusing(sotto.createSecretOnce(input)).andTee(({ isReplayed }) => {
        if (!isReplayed) created.inc({ by: 'create' })
      }),
    shareDraft: (input) => sotto.shareDraft(input).andTee(() => created.inc({ by: 'share' })),
    takeQuota: (input) =>
      sotto.takeQuota(input).orTee(({ code }) => {
        if (code === 'quota_exceeded') quotaRefusals.inc({ quota: input.bucket.kind })
      }),
  }
}
