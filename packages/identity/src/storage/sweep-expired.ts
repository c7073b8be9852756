import type { Swept } from '@sotto/core'
import {
  eraseAll,
  sweepExpired as sweepCore,
  type SweepExpiredDeps as SweepCoreDeps,
  type SweepExpiredError,
  type SweepExpiredInput,
} from '@sotto/core/building-blocks'
import { err, ResultAsync, type Result } from 'neverthrow'
import type { EmailChangeStore } from '../email-changes/email-change-store.ts'
import type { InvitationStore } from '../invitations/invitation-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { sessionsOverAt } from '../sessions/session.ts'
import type { SignInStore } from '../sessions/sign-in-store.ts'
import type { UsedTokenStore } from '../sessions/used-token-store.ts'

export interface SweepExpiredDeps extends SweepCoreDeps {
  readonly sessions: Pick<SessionStore, 'eraseOver'>
  readonly invitations: Pick<InvitationStore, 'eraseExpired'>
  readonly emailChanges: Pick<EmailChangeStore, 'eraseExpired'>
  readonly signIns: Pick<SignInStore, 'eraseOver'>
  readonly usedTokens: Pick<UsedTokenStore, 'eraseOver'>
}

/**
 * The sweep of the core, which also erases what identity leaves: sessions, one-time links, changes of email addresses, failed attempts to
 * sign in and used tokens.
 */
export function sweepExpired(
  deps: SweepExpiredDeps,
  input: SweepExpiredInput = {},
): ResultAsync<Swept, SweepExpiredError> {
  return new ResultAsync(sweep(deps, input))
}

async function sweep(
  deps: SweepExpiredDeps,
  input: SweepExpiredInput,
): Promise<Result<Swept, SweepExpiredError>> {
  const swept = await sweepCore(deps, input)
  if (swept.isErr()) return err(swept.error)
  const nowMicros = deps.clock.nowMicros()
  const erasures: readonly ((limit: number) => ResultAsync<number, SweepExpiredError>)[] = [
    (limit) => deps.sessions.eraseOver(sessionsOverAt(nowMicros), limit),
    (limit) => deps.invitations.eraseExpired(nowMicros, limit),
    (limit) => deps.emailChanges.eraseExpired(nowMicros, limit),
    (limit) => deps.signIns.eraseOver(nowMicros, limit),
    (limit) => deps.usedTokens.eraseOver(nowMicros, limit),
  ]
  for (const eraseSome of erasures) {
    const done = await eraseAll(eraseSome, input.shouldStop)
    if (done.isErr()) return err(done.error)
  }
  return swept
}
