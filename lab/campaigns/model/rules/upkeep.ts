import { day, minute, tell, type Book } from '../book.ts'
import { like } from '../compare.ts'
import { policy } from '../policy.ts'
import type { Input, Rules } from '../rules.ts'
import { isSessionAlive } from './sign-in.ts'

export function upkeepRules(book: Book): Rules {
  const { secrets, requests, sessions, keys, now } = book

  /** The windows of the minute and of the day, which begin with the first call after the last one. */
  const windowsOf = ({ bucket }: Input<'takeQuota'>) => {
    const { kind } = bucket
    const { perMinute, perDay } = kind === 'tests' ? { perMinute: 5, perDay: 50 } : policy.quota
    const name = JSON.stringify([bucket, kind === 'address' && keys.active])
    const stored = book.quota.get(name)
    const windows = [minute, day].map((length, at) => {
      const window = stored?.[at]
      return window !== undefined && now() < window.startedAt + length
        ? { ...window }
        : { startedAt: now(), count: 0 }
    })
    const left = [perMinute, perDay].map((limit, at) => limit - (windows[at]?.count ?? 0))
    return { name, windows, remaining: Math.max(0, Math.min(...left)) }
  }

  return {
    takeQuota(input, { value, code }) {
      const { name, windows, remaining } = windowsOf(input)
      if (book.clockWasSetBack) return code
      if (remaining === 0) return 'quota_exceeded'
      for (const window of windows) window.count += 1
      book.quota.set(name, windows)
      if (value !== undefined) like('the quota', value, { remaining: remaining - 1 })
      return 'ok'
    },

    peekQuota(input, { value }) {
      const { remaining } = windowsOf(input)
      if (value !== undefined && !book.clockWasSetBack) like('the quota', value, { remaining })
      return 'ok'
    },

    sweepExpired(_, { value }) {
      const by = now() - 10 * minute
      book.events = book.events.filter(([, atMicros]) => atMicros > now() - 30 * day)
      const expired = [...secrets.values()].filter(({ expiresAtMicros = Infinity }) => expiresAtMicros <= by)
      for (const secret of expired) {
        secrets.delete(secret.id)
        if (secret.opens === 0)
          tell(book, secret, 'secret.expired_unopened', [0, secret.expiresAtMicros ?? 0])
      }
      for (const request of [...requests.values()].filter(({ closesAtMicros }) => closesAtMicros <= by)) {
        requests.delete(request.id)
        if (request.answers === 0 && request.closedAtMicros === undefined)
          tell(book, request, 'request.closed_unanswered', [0, request.closesAtMicros])
      }
      for (const session of [...sessions.values()])
        if (!isSessionAlive(session, now())) sessions.delete(session.id)
      for (const account of book.accounts.values())
        if ((account.invitation?.expiresAtMicros ?? Infinity) <= now()) account.invitation = undefined
      if (value !== undefined && !book.isErasing) like('the sweep', value, { secrets: expired.length })
      book.isErasing = false
      return 'ok'
    },

    distributeEvents(_, { value }) {
      if (value !== undefined) like('the events', value, { more: false })
      book.events = []
      return 'ok'
    },

    rotateKeys(_, { value }) {
      if (value === undefined) return 'ok'
      activated(book, value.kid)
      like('the rotation', value, { corrupted: [] })
      return 'ok'
    },

    addKey(_, { value }) {
      if (value !== undefined && !keys.ring.includes(value.kid)) keys.ring.push(value.kid)
      return 'ok'
    },

    retireKey({ kid }, { code }) {
      if (kid === keys.active) return 'key_in_use'
      if (!keys.ring.includes(kid)) return 'key_not_found'
      if (code !== 'key_in_use') keys.ring = keys.ring.filter((each) => each !== kid)
      return code === 'key_in_use' ? code : 'ok'
    },
  }
}

/** A key is the active one from now on, and drafts may have got other versions. */
export function activated({ keys, secrets }: Book, kid: number): void {
  if (!keys.ring.includes(kid)) keys.ring.push(kid)
  keys.active = kid
  for (const secret of secrets.values()) secret.version = undefined
}
