import { err, ok, type Result } from 'neverthrow'
import type { LinkLocked } from '../errors.ts'

/** Wrong passwords within {@link wrongWindowMicros} that lock a link for {@link lockMicros}. */
export const wrongToLock = 5
export const wrongWindowMicros = 10 * 60 * 1_000_000
export const lockMicros = 30 * 60 * 1_000_000
/** Wrong passwords in total that disable a link for good. */
export const wrongToDisable = 100
/** An attempt that is under way for longer was cut off by a crash. It counts as wrong: otherwise crashes would make guesses free. */
export const attemptTimeoutMicros = 60 * 1_000_000

/** An attempt at a password that was reserved and is not settled yet. */
export interface AttemptUnderWay {
  readonly id: string
  readonly sinceMicros: number
}

/** What is stored about the attempts at one link's password. Never more than a few entries. */
export interface AttemptState {
  readonly underWay: readonly AttemptUnderWay[]
  /** When wrong passwords were given: those since the last lock that may still count. */
  readonly wrongAtMicros: readonly number[]
  readonly wrongTotal: number
  readonly lockedUntilMicros: number | undefined
}

export const noAttempts: AttemptState = {
  underWay: [],
  wrongAtMicros: [],
  wrongTotal: 0,
  lockedUntilMicros: undefined,
}

/** Whether so many wrong passwords were given that the link is disabled for good. Success does not reset the count. */
export function isDisabled(state: AttemptState): boolean {
  return state.wrongTotal >= wrongToDisable
}

/**
 * The state as a clock that was right would have left it. A clock that ran ahead, and was corrected since, leaves times in the future: a
 * lock would last for weeks. So whatever is in the future counts as now, and a lock ends {@link lockMicros} from now at the latest. The
 * result has to be stored, or "now" would move on with every question. The same object when nothing is in the future.
 */
export function withoutFuture(state: AttemptState, nowMicros: number): AttemptState {
  const { underWay, wrongAtMicros, lockedUntilMicros = 0 } = state
  const isLockTooLong = lockedUntilMicros > nowMicros + lockMicros
  const latest = Math.max(...underWay.map(({ sinceMicros }) => sinceMicros), ...wrongAtMicros)
  if (latest <= nowMicros && !isLockTooLong) return state
  return {
    ...state,
    underWay: underWay.map(({ id, sinceMicros }) => ({ id, sinceMicros: Math.min(sinceMicros, nowMicros) })),
    wrongAtMicros: wrongAtMicros.map((atMicros) => Math.min(atMicros, nowMicros)),
    lockedUntilMicros: isLockTooLong ? nowMicros + lockMicros : state.lockedUntilMicros,
  }
}

/**
 * Reserves an attempt before its password is verified. An attempt under way counts as if it were wrong, so that parallel guesses never
 * exceed the bounds: when the attempts under way could reach one of them, the caller has to try again later.
 */
export function reserveAttempt(
  state: AttemptState,
  id: string,
  nowMicros: number,
): Result<AttemptState, LinkLocked> {
  const settled = countCutOff(state, nowMicros)
  const { lockedUntilMicros } = settled
  if (lockedUntilMicros !== undefined && lockedUntilMicros > nowMicros) {
    return err(locked('wrong_passwords', Math.ceil((lockedUntilMicros - nowMicros) / 1_000_000)))
  }
  const wrongAtMicros = recent(settled.wrongAtMicros, nowMicros)
  const underWay = settled.underWay.length
  if (wrongAtMicros.length + underWay >= wrongToLock || settled.wrongTotal + underWay >= wrongToDisable) {
    return err(locked('attempts_under_way', 1))
  }
  return ok({
    ...settled,
    wrongAtMicros,
    lockedUntilMicros: undefined,
    underWay: [...settled.underWay, { id, sinceMicros: nowMicros }],
  })
}

/** Releases a reservation: the password was right, or could not be verified. */
export function releaseAttempt(state: AttemptState, id: string): AttemptState {
  return { ...state, underWay: state.underWay.filter((attempt) => attempt.id !== id) }
}

/** Counts a reserved attempt as wrong. An attempt that was counted already, because it took too long, is not counted twice. */
export function countWrong(state: AttemptState, id: string, nowMicros: number): AttemptState {
  const released = releaseAttempt(state, id)
  if (released.underWay.length === state.underWay.length) return state
  return addWrong(withoutFuture(released, nowMicros), nowMicros)
}

/**
 * Counts the attempts that were cut off as wrong, at the time at which they timed out, so that asking again does not start another lock.
 * The same object when there are none.
 */
export function countCutOff(state: AttemptState, nowMicros: number): AttemptState {
  const cutOff = state.underWay.filter(({ sinceMicros }) => nowMicros - sinceMicros >= attemptTimeoutMicros)
  return cutOff.reduce(
    (before, { id, sinceMicros }) => addWrong(releaseAttempt(before, id), sinceMicros + attemptTimeoutMicros),
    state,
  )
}

function addWrong(state: AttemptState, nowMicros: number): AttemptState {
  const wrongAtMicros = [...recent(state.wrongAtMicros, nowMicros), nowMicros]
  const wrongTotal = state.wrongTotal + 1
  if (wrongAtMicros.length < wrongToLock) return { ...state, wrongAtMicros, wrongTotal }
  return { ...state, wrongAtMicros: [], wrongTotal, lockedUntilMicros: nowMicros + lockMicros }
}

function recent(wrongAtMicros: readonly number[], nowMicros: number): readonly number[] {
  return wrongAtMicros.filter((atMicros) => atMicros > nowMicros - wrongWindowMicros)
}

function locked(reason: LinkLocked['reason'], retryAfterSeconds: number): LinkLocked {
  return { code: 'link_locked', reason, retryAfterSeconds }
}
