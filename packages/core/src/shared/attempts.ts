import { err, ok, type Result } from 'neverthrow'

/** How many wrong passwords are too many, for those attempts that are counted together. */
export interface AttemptLimits {
  /** Wrong passwords within {@link windowMicros} that lock. */
  readonly wrongToLock: number
  readonly windowMicros: number
  /** How long it is locked. */
  readonly lockMicros: number
  /**
   * The wrong password from which the lock is counted. `last`: the count begins again after it. `first`: the others count on, so that with
   * a lock as long as the window never more than {@link wrongToLock} are possible within one window, whenever it begins.
   */
  readonly lockFrom: 'last' | 'first'
  /** Wrong passwords in total after which no attempt is possible any more; no number of them by default. */
  readonly wrongToDisable?: number
}

/** Wrong passwords within {@link wrongWindowMicros} that lock a link for {@link lockMicros}. */
export const wrongToLock = 5

/** The time in which wrong passwords are counted together: 10 minutes. */
export const wrongWindowMicros = 10 * 60 * 1_000_000

/** How long a link stays locked: 30 minutes. */
export const lockMicros = 30 * 60 * 1_000_000
/** Wrong passwords in total that disable a link for good. */
export const wrongToDisable = 100

/** The limits of one link's password. */
export const linkAttemptLimits: AttemptLimits = {
  wrongToLock,
  windowMicros: wrongWindowMicros,
  lockMicros,
  lockFrom: 'last',
  wrongToDisable,
}

/** An attempt that is under way for longer was cut off by a crash. It counts as wrong: otherwise crashes would make guesses free. */
export const attemptTimeoutMicros = 60 * 1_000_000

/** An attempt at a password that was reserved and is not settled yet. */
export interface AttemptUnderWay {
  readonly id: string
  readonly sinceMicros: number
}

/** What is stored about attempts that are counted together, such as those at one link's password. Never more than a few entries. */
export interface AttemptState {
  readonly underWay: readonly AttemptUnderWay[]
  /** When wrong passwords were given: those since the last lock that may still count. */
  readonly wrongAtMicros: readonly number[]
  /** Wrong passwords in all, those before a lock included. */
  readonly wrongTotal: number
  readonly lockedUntilMicros: number | undefined
}

/** What is stored before the first attempt. */
export const noAttempts: AttemptState = {
  underWay: [],
  wrongAtMicros: [],
  wrongTotal: 0,
  lockedUntilMicros: undefined,
}

/** Why no attempt can be reserved now. */
export interface AttemptRefused {
  readonly reason: 'wrong_passwords' | 'attempts_under_way'
  readonly retryAfterSeconds: number
}

/** Whether so many wrong passwords were given that the link is disabled for good. Success does not reset the count. */
export function isDisabled(state: AttemptState): boolean {
  return state.wrongTotal >= wrongToDisable
}

/** Whether wrong passwords lock the link now. */
export function isLocked({ lockedUntilMicros }: AttemptState, nowMicros: number): boolean {
  return lockedUntilMicros !== undefined && lockedUntilMicros > nowMicros
}

/** Whether `after` is locked or disabled, and `before` was not yet. A link that was locked can still become disabled. */
export function becomesLocked(before: AttemptState, after: AttemptState, nowMicros: number): boolean {
  if (isDisabled(after)) return !isDisabled(before)
  return isLocked(after, nowMicros) && !isLocked(before, nowMicros)
}

/**
 * The state without what is too far in the future. A clock that ran ahead, and was corrected since, leaves times in the future: a lock would
 * last for weeks. So a time that is further ahead than it counts for is now instead, and so is the beginning of a lock that is further ahead
 * than the lock is long. What is nearer stays: it may be from a process whose clock is ahead, for which it must not be over. The result has to
 * be stored, or "now" would move on with every question. The same object when nothing is too far in the future.
 */
export function withoutFuture(
  state: AttemptState,
  nowMicros: number,
  { windowMicros, lockMicros }: AttemptLimits = linkAttemptLimits,
): AttemptState {
  const { underWay, wrongAtMicros, lockedUntilMicros = 0 } = state
  const isTooFar = (atMicros: number, lengthMicros: number): boolean => atMicros - nowMicros > lengthMicros
  const isLockTooLong = isTooFar(lockedUntilMicros - lockMicros, lockMicros)
  const isUnderWayTooFar = underWay.some(({ sinceMicros }) => isTooFar(sinceMicros, attemptTimeoutMicros))
  const isWrongTooFar = wrongAtMicros.some((atMicros) => isTooFar(atMicros, windowMicros))
  if (!isLockTooLong && !isUnderWayTooFar && !isWrongTooFar) return state
  return {
    ...state,
    underWay: underWay.map(({ id, sinceMicros }) => ({
      id,
      sinceMicros: isTooFar(sinceMicros, attemptTimeoutMicros) ? nowMicros : sinceMicros,
    })),
    wrongAtMicros: wrongAtMicros.map((atMicros) => (isTooFar(atMicros, windowMicros) ? nowMicros : atMicros)),
    lockedUntilMicros: isLockTooLong ? nowMicros + lockMicros : state.lockedUntilMicros,
  }
}

/**
 * Reserves an attempt before its password is verified. An attempt under way counts as if it were wrong, so that parallel guesses never
 * exceed the bounds. When the attempts under way could reach one of them, the caller has to try again later.
 */
export function reserveAttempt(
  state: AttemptState,
  id: string,
  nowMicros: number,
  limits: AttemptLimits = linkAttemptLimits,
): Result<AttemptState, AttemptRefused> {
  const settled = countCutOff(state, nowMicros, limits)
  const { lockedUntilMicros } = settled
  if (lockedUntilMicros !== undefined && lockedUntilMicros > nowMicros) {
    const waitMicros = Math.min(lockedUntilMicros - nowMicros, limits.lockMicros)
    const retryAfterSeconds = Math.ceil(waitMicros / 1_000_000)
    return err({ reason: 'wrong_passwords', retryAfterSeconds })
  }
  const wrongAtMicros = recent(settled.wrongAtMicros, nowMicros, limits)
  const underWay = settled.underWay.length
  const { wrongToLock, wrongToDisable = Infinity } = limits
  if (wrongAtMicros.length + underWay >= wrongToLock || settled.wrongTotal + underWay >= wrongToDisable) {
    return err({ reason: 'attempts_under_way', retryAfterSeconds: 1 })
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
export function countWrong(
  state: AttemptState,
  id: string,
  nowMicros: number,
  limits: AttemptLimits = linkAttemptLimits,
): AttemptState {
  const released = releaseAttempt(state, id)
  if (released.underWay.length === state.underWay.length) return state
  return addWrong(withoutFuture(released, nowMicros, limits), nowMicros, limits)
}

/**
 * Counts the attempts that were cut off as wrong, at the time at which they timed out, so that asking again does not start another lock.
 * The same object when there are none.
 */
export function countCutOff(
  state: AttemptState,
  nowMicros: number,
  limits: AttemptLimits = linkAttemptLimits,
): AttemptState {
  const cutOff = state.underWay.filter(({ sinceMicros }) => nowMicros - sinceMicros >= attemptTimeoutMicros)
  return cutOff.reduce(
    (before, { id, sinceMicros }) =>
      addWrong(releaseAttempt(before, id), sinceMicros + attemptTimeoutMicros, limits),
    state,
  )
}

function addWrong(state: AttemptState, nowMicros: number, limits: AttemptLimits): AttemptState {
  const wrongAtMicros = [...recent(state.wrongAtMicros, nowMicros, limits), nowMicros]
  const wrongTotal = state.wrongTotal + 1
  if (wrongAtMicros.length < limits.wrongToLock) return { ...state, wrongAtMicros, wrongTotal }
  const [first = nowMicros, ...others] = wrongAtMicros
  return limits.lockFrom === 'first'
    ? { ...state, wrongAtMicros: others, wrongTotal, lockedUntilMicros: first + limits.lockMicros }
    : { ...state, wrongAtMicros: [], wrongTotal, lockedUntilMicros: nowMicros + limits.lockMicros }
}

function recent(
  wrongAtMicros: readonly number[],
  nowMicros: number,
  { windowMicros }: AttemptLimits,
): readonly number[] {
  return wrongAtMicros.filter((atMicros) => atMicros > nowMicros - windowMicros)
}
