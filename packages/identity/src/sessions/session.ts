import type { Uuid } from '@sotto/core'

/** How long a session lasts without being used: 12 hours, in microseconds. */
export const sessionIdleMicros = 12 * 3_600 * 1_000_000
/** How long a session lasts at most: 14 days, in microseconds. */
export const sessionLifetimeMicros = 14 * 86_400 * 1_000_000
/** How long a re-authentication is fresh: 10 minutes, in microseconds. */
export const reauthenticationMicros = 10 * 60 * 1_000_000
/** How many sessions an account has at most after a sign-in: the newest ones. */
export const sessionsMax = 50

/** A browser that is signed in to an account. Holds no address and no user agent. */
export interface Session {
  readonly id: Uuid
  readonly createdAtMicros: number
  /** When its owner last proved who they are: with the password, a passkey, or a fresh sign-in at the identity provider. */
  readonly reauthenticatedAtMicros: number
  /** When it was last used, to the minute. */
  readonly lastUsedAtMicros: number
}

/** A session as its owner sees it. */
export interface NamedSession extends Session {
  /** What its owner calls it; `undefined` until it is named. */
  readonly name: string | undefined
}

/** The times up to which a session was created, or last used, that is over. */
export interface SessionsOver {
  readonly createdByMicros: number
  readonly lastUsedByMicros: number
}

/** The times up to which sessions are over at `nowMicros`. */
export function sessionsOverAt(nowMicros: number): SessionsOver {
  return {
    createdByMicros: nowMicros - sessionLifetimeMicros,
    lastUsedByMicros: nowMicros - sessionIdleMicros,
  }
}

/** Whether a session can still be used at `nowMicros`. */
export function isSessionAlive(
  { createdAtMicros, lastUsedAtMicros }: Pick<Session, 'createdAtMicros' | 'lastUsedAtMicros'>,
  nowMicros: number,
): boolean {
  return (
    createdAtMicros + sessionLifetimeMicros > nowMicros && lastUsedAtMicros + sessionIdleMicros > nowMicros
  )
}

/** Whether the last re-authentication is fresh at `nowMicros`. A time in the future proves nothing. */
export function isReauthenticationFresh(
  { reauthenticatedAtMicros }: Pick<Session, 'reauthenticatedAtMicros'>,
  nowMicros: number,
): boolean {
  return reauthenticatedAtMicros <= nowMicros && nowMicros - reauthenticatedAtMicros < reauthenticationMicros
}
