import type { Page } from '../../design/document.ts'
import { markup } from '../../design/html.ts'
import { settingsStyle } from '../../design/part-styles.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { ownerPage } from './layout.ts'
import { contactLine } from './reset-page.ts'
import { setting } from './settings-layout.ts'

/** What the other pages say in passing, in one place, and whom to ask. */
export function helpPage(localized: LocalizedDashboard): Page {
  const { common, secrets, notifications, account } = localized.texts
  const { recipientHeading, recipient, ownOpens } = secrets.secret
  const { accessTokens } = account
  const part = (heading: string, lines: readonly string[]) =>
    setting(heading, undefined, markup`${lines.map((line) => markup`<p>${line}</p>`)}`)
  const main = markup`<div class="head"><h1>${common.help}</h1></div>
    ${part(recipientHeading, [recipient, ownOpens])}
    ${part(secrets.fields.password, [secrets.fields.passwordHint])}
    ${part(secrets.drafts.heading, [secrets.draft.lead])}
    ${part(secrets.requests.heading, [secrets.requests.lead])}
    ${part(notifications.heading, [notifications.lead])}
    ${part(accessTokens.heading, [accessTokens.lead])}
    ${contactLine(localized)}`
  return ownerPage({ localized, title: common.help, place: 'none', main, sheets: [settingsStyle] })
}
