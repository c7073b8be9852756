import { filesMax, takesFiles, type Policy } from '@sotto/core'
import { type Page, filledText, markup, settingsStyle } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { ownerPage } from '../shared/layout.ts'
import { contactLine } from '../passwords/reset-page.ts'
import { setting } from '../shared/settings-layout.ts'

/** The page with what the other pages say in passing, in one place, and whom to ask. */
export function helpPage(localized: LocalizedDashboard, policy: Pick<Policy, 'files'>): Page {
  const { common, secrets, drafts, requests, files, notifications, accessTokens } = localized.texts
  const { recipientHeading, recipient, ownOpens } = secrets.secret
  const part = (heading: string, lines: readonly string[]) =>
    setting(heading, undefined, markup`${lines.map((line) => markup`<p>${line}</p>`)}`)
  const main = markup`<div class="head"><h1>${common.help}</h1></div>
    ${part(recipientHeading, [recipient, ownOpens])}
    ${part(secrets.fields.password, [secrets.fields.passwordHint])}
    ${takesFiles(policy.files) && part(files.heading, [fileLimits(localized, policy.files), files.deleted, files.neverShown])}
    ${part(drafts.list.heading, [drafts.lead])}
    ${part(requests.heading, [requests.lead])}
    ${part(notifications.heading, [notifications.lead])}
    ${part(accessTokens.heading, [accessTokens.lead])}
    ${contactLine(localized)}`
  return ownerPage({ localized, title: common.help, place: 'none', main, sheets: [settingsStyle] })
}

function fileLimits(
  { texts, number, size }: LocalizedDashboard,
  { maxBytes, accountMaxBytes }: NonNullable<Policy['files']>,
): string {
  const limits = { count: number(filesMax), each: size(maxBytes), all: size(accountMaxBytes) }
  return filledText(texts.files.help, limits)
}
