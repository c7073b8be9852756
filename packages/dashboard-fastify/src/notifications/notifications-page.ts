import { shownText, type Account } from '@sotto/core'
import { banner, checkbox, type Page, isolated, filled, filledText, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Done } from '../shared/done.ts'
import { reauthenticationField, setting, settingsLayout } from '../shared/settings-layout.ts'
import { webhookAddress, webhooksSection, type WebhooksInput } from './webhooks/webhooks-section.ts'

/** A test that was not delivered; of the mail where `url` is undefined. */
export interface FailedTest {
  readonly url: string | undefined
  /** See `SendFailed.reason`. */
  readonly reason: string
}

export interface NotificationsInput extends WebhooksInput {
  readonly account: Account
  /** Whether the installation sends mails. */
  readonly canMail: boolean
  readonly done: Done | undefined
  /** The choice of mails that was refused, and what is wrong with the password that it needs. */
  readonly refusedMails?: { readonly chosen: Account['mails']; readonly problem: string } | undefined
  readonly failedTest?: FailedTest | undefined
  /** The seconds until the next test can be sent, when there were too many. */
  readonly testsAgainSeconds?: number | undefined
}

/** How the owner hears about secrets: mails, and webhooks for programs. */
export function notificationsPage(localized: LocalizedDashboard, input: NotificationsInput): Page {
  const { heading, lead } = localized.texts.notifications
  const { done } = input
  const main = markup`${input.failedTest && failureBanner(localized, input.failedTest)}
    ${input.testsAgainSeconds !== undefined && tooManyBanner(localized, input.testsAgainSeconds)}
    <p>${lead}</p>
    ${mailsSection(localized, input)}
    ${webhooksSection(localized, input)}`
  return settingsLayout(localized, { place: 'notifications', title: heading, main, done })
}

function failureBanner({ texts }: LocalizedDashboard, { url, reason: words }: FailedTest): Html {
  const { notifications, webhooks } = texts
  const reason = markup`<bdi lang="en">${shownText(words)}</bdi>`
  return url === undefined
    ? banner('error', filled(notifications.mails.testFailed, { reason }))
    : banner('error', filled(webhooks.testFailed, { address: webhookAddress(url), reason }))
}

function tooManyBanner({ texts, fromNow }: LocalizedDashboard, seconds: number): Html {
  return banner('error', filledText(texts.notifications.tooManyTests, { when: fromNow(seconds) }))
}

/** What the boxes showed, so that a form says which of them its sender has changed. */
function shownChoice({ enabled, nameLabels }: Account['mails']): string {
  return ['mails', ...(enabled ? ['enabled'] : []), ...(nameLabels ? ['labels'] : [])].join(' ')
}

function mailsSection(localized: LocalizedDashboard, input: NotificationsInput): Html {
  const { account, canMail, refusedMails, reauthentication } = input
  const { mails } = localized.texts.notifications
  const { email } = account
  if (!canMail || email === undefined) {
    const why = canMail ? mails.noEmail : mails.unavailable
    return setting(mails.heading, why, undefined)
  }
  const { enabled, nameLabels } = refusedMails?.chosen ?? account.mails
  const problem = refusedMails?.problem
  return setting(
    mails.heading,
    filled(mails.lead, { email: isolated(email) }),
    markup`<form method="post" action="/settings/notifications/mails">
      <input type="hidden" name="shown" value="${shownChoice(account.mails)}">
      ${checkbox({ name: 'enabled', label: mails.enabled, isChecked: enabled })}
      ${checkbox({ name: 'labels', label: mails.nameLabels, isChecked: nameLabels })}
      ${reauthenticationField(localized, { reauthentication: problem === undefined ? undefined : reauthentication, problem, id: 'mails-proof' })}
      <div class="actions"><button type="submit" class="secondary">${mails.save}</button></div>
    </form>
    <form class="after" method="post" action="/settings/notifications/mails/test">
      <button type="submit" class="secondary">${mails.test}</button>
    </form>`,
  )
}
