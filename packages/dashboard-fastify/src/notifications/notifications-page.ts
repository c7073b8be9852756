import { shownText, type Account } from '@sotto/core'
import { banner, checkbox, type Page, isolated, filled, filledText, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Done } from '../shared/done.ts'
import { setting, settingsLayout } from '../shared/settings-layout.ts'
import { reauthenticationField, type ReauthenticationNeed } from '../shared/reauthentication.ts'

export interface NotificationsInput {
  readonly account: Account
  /** Whether the installation sends mails. */
  readonly canMail: boolean
  readonly done: Done | undefined
  /** The choice of mails that was refused, and what is wrong with the password that it needs. */
  readonly refusedMails?: { readonly chosen: Account['mails']; readonly problem: string } | undefined
  /** Says that a test was not delivered. */
  readonly failedTest?: Html | undefined
  /** The seconds until the next test can be sent, when there were too many. */
  readonly testsAgainSeconds?: number | undefined
  readonly reauthentication: ReauthenticationNeed | undefined
  /** What other capabilities add. */
  readonly sections: readonly Html[]
}

/** How the owner hears about secrets: mails, and webhooks for programs. */
export function notificationsPage(localized: LocalizedDashboard, input: NotificationsInput): Page {
  const { heading, lead } = localized.texts.notifications
  const { done } = input
  const main = markup`${input.failedTest}
    ${input.testsAgainSeconds !== undefined && tooManyBanner(localized, input.testsAgainSeconds)}
    <p>${lead}</p>
    ${mailsSection(localized, input)}
    ${input.sections}`
  return settingsLayout(localized, { place: 'notifications', title: heading, main, done })
}

/** Says that a test was not delivered. @param wording the sentence, with the reason and with what `named` has */
export function failureBanner(
  wording: string,
  reason: string,
  named: Readonly<Record<string, Html>> = {},
): Html {
  return banner(
    'error',
    filled(wording, { ...named, reason: markup`<bdi lang="en">${shownText(reason)}</bdi>` }),
  )
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
      ${reauthenticationField({ reauthentication: problem === undefined ? undefined : reauthentication, problem, id: 'mails-proof' })}
      <div class="actions"><button type="submit" class="secondary">${mails.save}</button></div>
    </form>
    <form class="after" method="post" action="/settings/notifications/mails/test">
      <button type="submit" class="secondary">${mails.test}</button>
    </form>`,
  )
}
