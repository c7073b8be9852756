import { opensLeft } from './secret.ts'
import { type AttemptState, isDisabled } from '../shared/attempts.ts'
import { oneOf } from '../shared/inputs.ts'

/**
 * What became of a shareable secret: nobody has opened it yet, it was opened and can be opened again, or nobody can open it any more, because
 * it is used up, disabled by wrong passwords, or its note is destroyed. A lock for a time changes none of them.
 */
export type SecretStatus = 'waiting' | 'opened' | 'finished'

/** All statuses, in the order in which a secret passes through them. */
export const secretStatuses: readonly SecretStatus[] = ['waiting', 'opened', 'finished']

/** A guard: a status. */
export const aStatus = oneOf(...secretStatuses)

/** The status of a secret that has not expired. A store selects by a condition that is the same for every state. */
export function secretStatus(
  { openLimit }: { readonly openLimit: number | undefined },
  {
    opens,
    hasNote,
    attempts,
  }: { readonly opens: number; readonly hasNote: boolean; readonly attempts: AttemptState },
): SecretStatus {
  if (!hasNote || opensLeft(openLimit, opens) === 0 || isDisabled(attempts)) return 'finished'
  return opens > 0 ? 'opened' : 'waiting'
}
