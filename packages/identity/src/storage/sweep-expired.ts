import type { StorageError } from '@sotto/core'
import { aFunction, eraseAll, sweepExpired as sweepCore } from '@sotto/core/building-blocks'
import type { ResultAsync } from 'neverthrow'
import { sessionsOverAt } from '../sessions/session.ts'
import { useCase } from '../use-case.ts'

/**
 * The sweep of the core, which also erases what identity leaves: sessions, one-time links, changes of email addresses, failed attempts to
 * sign in and used tokens.
 */
export const sweepExpired = useCase({
  needs: [
    ...sweepCore.needs,
    'sessions.eraseOver',
    'invitations.eraseExpired',
    'emailChanges.eraseExpired',
    'signIns.eraseOver',
    'usedTokens.eraseOver',
  ],
  mayTake: {
    /** Asked before each batch: true ends the sweep, with Ok and what it has erased by then. A process that has to end uses it. */
    shouldStop: aFunction<() => boolean>,
  },
  async run(deps, input) {
    const swept = await sweepCore(deps, input)
    if (swept.isErr()) return swept
    const nowMicros = deps.clock.nowMicros()
    const erasures: readonly ((limit: number) => ResultAsync<number, StorageError>)[] = [
      (limit) => deps.sessions.eraseOver(sessionsOverAt(nowMicros), limit),
      (limit) => deps.invitations.eraseExpired(nowMicros, limit),
      (limit) => deps.emailChanges.eraseExpired(nowMicros, limit),
      (limit) => deps.signIns.eraseOver(nowMicros, limit),
      (limit) => deps.usedTokens.eraseOver(nowMicros, limit),
    ]
    for (const eraseSome of erasures) {
      const done = await eraseAll(eraseSome, input.shouldStop)
      if (done.isErr()) return done
    }
    return swept
  },
})
