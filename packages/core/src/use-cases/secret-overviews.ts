import { err, ok, type Result } from 'neverthrow'
import { opensLeft, type ShareableSecret } from '../entities/secret.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import type { SecretActivity } from '../ports/secret-store.ts'
import { isDisabled, isLocked, withoutFuture } from '../rules/attempts.ts'

// What the use-cases that show an owner the activity of secrets have in common.

/** A shareable secret with what happened to its link so far. */
export interface SecretOverview extends ShareableSecret {
  /** How often it was opened. */
  readonly opens: number
  /** Opens that remain; `undefined` means without limit. */
  readonly opensLeft: number | undefined
  /** When it was opened: the latest 100, newest first. */
  readonly openedAtMicros: readonly number[]
  /** Until when wrong passwords lock it; `undefined` when they do not. */
  readonly lockedUntilMicros: number | undefined
  /** Whether wrong passwords have disabled it for good. */
  readonly isDisabled: boolean
  /** False once its note was destroyed by the last permitted open. */
  readonly hasNote: boolean
}

/** Adds their activity to secrets of one account. A secret that was erased in the meantime is left out. */
export async function withActivity(
  { secrets, clock }: PortMethods<{ secrets: 'activity'; clock: 'nowMicros' }>,
  accountId: Uuid,
  shown: readonly ShareableSecret[],
): Promise<Result<readonly SecretOverview[], StorageError>> {
  const found = await secrets.activity(
    accountId,
    shown.map(({ id }) => id),
  )
  if (found.isErr()) return err(found.error)
  const byId = new Map(found.value.map((activity) => [activity.id, activity]))
  const nowMicros = clock.nowMicros()
  return ok(
    shown.flatMap((secret) => {
      const activity = byId.get(secret.id)
      return activity === undefined ? [] : [overviewOf(secret, activity, nowMicros)]
    }),
  )
}

function overviewOf(
  secret: ShareableSecret,
  { opens, hasNote, attempts, openedAtMicros }: SecretActivity,
  nowMicros: number,
): SecretOverview {
  const corrected = withoutFuture(attempts, nowMicros)
  return {
    ...secret,
    opens,
    opensLeft: opensLeft(secret.openLimit, opens),
    openedAtMicros: openedAtMicros.toReversed(),
    lockedUntilMicros: isLocked(corrected, nowMicros) ? corrected.lockedUntilMicros : undefined,
    isDisabled: isDisabled(attempts),
    hasNote,
  }
}
