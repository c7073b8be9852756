import type { Settlement } from '@sotto/core'
import type { FullPorts, FullSotto } from '@sotto/identity'
import { ResultAsync, type Result } from 'neverthrow'
import type { Instruments } from './instruments.ts'
import { refusalReasons } from './refusal-reasons.ts'

/** FullPorts that count what becomes of messages. Everything else passes as it is. */
export function measurePorts(
  ports: FullPorts,
  { outboxWait, deliveries, lastDelivery }: Instruments,
): FullPorts {
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

/** Use-cases that count what they did and what they refused. */
export function measureSotto(
  sotto: FullSotto,
  { created, opens, answers, refusals, quotaRefusals }: Instruments,
): FullSotto {
  const refused = ({ code }: { readonly code: string }): void => {
    const reason = refusalReasons.find((known) => known === code)
    if (reason !== undefined) refusals.inc({ reason })
  }
  const beyond =
    (quota: string) =>
    ({ code }: { readonly code: string }): void => {
      if (code === 'quota_exceeded') quotaRefusals.inc({ quota })
    }
  const createdOne = (): void => created.inc({ by: 'create' })
  return {
    ...sotto,
    openSecret: (input) => watch(sotto.openSecret(input), () => opens.inc(), refused),
    answerRequest: (input) =>
      watch(
        sotto.answerRequest(input),
        ({ isRepeated }) => {
          if (!isRepeated) answers.inc()
        },
        refused,
      ),
    authenticate: (input) => watch(sotto.authenticate(input), ignored, refused),
    signIn: (input) => watch(sotto.signIn(input), ignored, refused),
    ensureReauthentication: (input) => watch(sotto.ensureReauthentication(input), ignored, refused),
    reauthenticateWithPasskey: (input) => watch(sotto.reauthenticateWithPasskey(input), ignored, refused),
    createSecret: (input) => watch(sotto.createSecret(input), createdOne, refused),
    createSecretOnce: (input) =>
      watch(
        sotto.createSecretOnce(input),
        ({ isReplayed }) => {
          if (!isReplayed) createdOne()
        },
        refused,
      ),
    shareDraft: (input) => watch(sotto.shareDraft(input), () => created.inc({ by: 'share' }), ignored),
    takeQuota: (input) => watch(sotto.takeQuota(input), ignored, beyond(input.bucket.kind)),
    testMail: (input) => watch(sotto.testMail(input), ignored, beyond('tests')),
    testWebhook: (input) => watch(sotto.testWebhook(input), ignored, beyond('tests')),
  }
}

const ignored = (): void => undefined

/**
 * Returns the answer, of which one of two functions sees the value or the error. An exception of theirs is dropped, because what they count
 * has taken effect. Every request waits for this: `andTee` takes ten times as long.
 */
function watch<T, E>(
  answer: ResultAsync<T, E>,
  onOk: (value: T) => void,
  onErr: (error: E) => void,
): ResultAsync<T, E> {
  return new ResultAsync(watched(answer, onOk, onErr))
}

async function watched<T, E>(
  answer: ResultAsync<T, E>,
  onOk: (value: T) => void,
  onErr: (error: E) => void,
): Promise<Result<T, E>> {
  const result = await answer
  try {
    if (result.isOk()) onOk(result.value)
    else onErr(result.error)
  } catch {
    // A meter that fails loses its count.
  }
  return result
}
