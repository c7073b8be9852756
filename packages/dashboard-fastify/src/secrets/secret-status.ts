import type { SecretOverview } from '@sotto/core'
import { hourElement, spanElement, filled, filledText, type Html, signOf, type Sign } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'

/** What has happened to a secret's link, in a few words. */
export function statusText(localized: LocalizedDashboard, secret: SecretOverview, nowMicros: number): Html {
  const { status } = localized.texts.secrets
  const { openLimit, opensLeft, openedAtMicros, lockedUntilMicros, isDisabled } = secret
  const [latest] = openedAtMicros
  const when = latest === undefined ? undefined : spanElement(localized, latest, nowMicros)
  if (isDisabled) return filled(status.disabled, {})
  if (secret.status === 'finished')
    return filled(when === undefined ? status.finished : status.usedUp, { when })
  if (lockedUntilMicros !== undefined)
    return filled(status.locked, { time: hourElement(localized, lockedUntilMicros) })
  if (when === undefined) return filled(status.unopened, {})
  if (opensLeft === undefined || openLimit === undefined) return filled(status.opened, { when })
  const [left, limit] = [opensLeft, openLimit].map(localized.number)
  return filled(status.openedLeft, { when, left, limit })
}

/** How often it was opened since its owner last looked; `undefined` when that was not or the owner did not want to know. */
export function newsText(
  { texts, counted }: LocalizedDashboard,
  { news }: Pick<SecretOverview, 'news'>,
): string | undefined {
  if (news === 0) return undefined
  const { wording, number } = counted(texts.secrets.status.news, news)
  return filledText(wording, { count: number })
}

/** The status as a sign beside a secret's title. */
export function statusSign({ status, isDisabled, lockedUntilMicros }: SecretOverview): Html {
  if (isDisabled || lockedUntilMicros !== undefined) return signOf('locked')
  const signs: Readonly<Record<typeof status, Sign>> = {
    waiting: 'sealed',
    opened: 'open',
    finished: 'empty',
  }
  return signOf(signs[status])
}

/** Whether somebody can open it, now or when its lock ends. */
export function isOpenable({ status }: SecretOverview): boolean {
  return status !== 'finished'
}
