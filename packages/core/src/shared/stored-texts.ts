import { noAttempts, type AttemptState } from './attempts.ts'

/** A state of attempts as JSON; `null` for one without attempts, as most are. */
export function attemptsText(state: AttemptState): string | null {
  const { underWay, wrongAtMicros, wrongTotal, lockedUntilMicros } = state
  const isEmpty = underWay.length + wrongAtMicros.length + wrongTotal === 0 && lockedUntilMicros === undefined
  return isEmpty ? null : JSON.stringify({ underWay, wrongAtMicros, wrongTotal, lockedUntilMicros })
}

/** The state that {@link attemptsText} spelled. Throws when it did not. */
export function attemptsOf(text: string | null): AttemptState {
  return text === null ? noAttempts : { ...noAttempts, ...(JSON.parse(text) as Partial<AttemptState>) }
}
