import type { SecretOverview } from '@sotto/core'
import { badge } from '../../design/app-elements.ts'
import { filled, type Html, type HtmlValue } from '../../design/html.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'

/** What has happened to a secret's link, in a few words. */
export function statusBadge(localized: LocalizedDashboard, secret: SecretOverview): Html {
  const { status } = localized.texts.secrets
  if (secret.isDisabled) return badge(status.disabled, 'bad')
  if (!secret.hasNote) return badge(status.usedUp)
  if (secret.lockedUntilMicros !== undefined) return badge(status.locked, 'warm')
  if (secret.opens === 0) return badge(status.unopened)
  return badge(opensOf(localized, secret), 'good')
}

/** Whether somebody can open it, now or when its lock ends. */
export function isOpenable({ isDisabled, hasNote }: SecretOverview): boolean {
  return !isDisabled && hasNote
}

function opensOf(localized: LocalizedDashboard, { opens, openLimit }: SecretOverview): HtmlValue {
  const { status } = localized.texts.secrets
  if (openLimit !== undefined) {
    const [opened, limit] = [opens, openLimit].map(localized.number)
    return filled(status.openedOf, { opens: opened, limit })
  }
  const { wording, number } = localized.counted(status.opened, opens)
  return filled(wording, { count: number })
}
