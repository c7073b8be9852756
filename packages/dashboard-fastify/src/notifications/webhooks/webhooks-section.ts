import { webhooksMax, type Webhook } from '@sotto/core'
import {
  badge,
  banner,
  emptyState,
  inputField,
  timeElement,
  filled,
  filledText,
  markup,
  type Html,
} from '@sotto/html'
import { reauthenticationField, type ReauthenticationNeed } from '../../shared/reauthentication.ts'
import type { LocalizedDashboard } from '../../shared/localized.ts'
import { faults, type FieldProblems } from '../../shared/fields.ts'
import { setting } from '../../shared/settings-layout.ts'

const fieldOrder = ['url', 'proof'] as const

export type WebhookFieldName = (typeof fieldOrder)[number]

export interface WebhooksInput {
  readonly webhooks: readonly Webhook[]
  /** How many more there are that cannot be read. */
  readonly corruptedCount: number
  /** Whether the installation posts to webhooks. */
  readonly canPost: boolean
  readonly reauthentication: ReauthenticationNeed | undefined
  /** What was typed as the address of a new webhook. */
  readonly url: string
  readonly problems: FieldProblems<WebhookFieldName>
}

/** The account's webhooks, and the form for another one. */
export function webhooksSection(localized: LocalizedDashboard, input: WebhooksInput): Html {
  const { webhooks: texts } = localized.texts
  const { webhooks, corruptedCount, canPost } = input
  const list = webhooks.length > 0 ? webhookList(localized, input) : canPost && emptyState(texts.none)
  const lead = canPost ? texts.lead : texts.unavailable
  return markup`${setting(texts.heading, lead, [corruptedCount > 0 && banner('error', texts.corrupted), list])}
    ${canPost && newWebhook(localized, input)}`
}

/** The longest part of an address that is shown. */
const addressMaxLength = 48

/** An address as its owner recognises it: an address may give access, so its end is not shown. */
export function addressText(url: string): string {
  const [start = ''] = url.split('?')
  if (start.length > addressMaxLength) return `${start.slice(0, addressMaxLength)}…`
  return start === url ? url : `${start}?…`
}

export function webhookAddress(url: string): Html {
  return markup`<bdi dir="ltr" translate="no">${addressText(url)}</bdi>`
}

function isFull({ webhooks, corruptedCount }: WebhooksInput): boolean {
  return webhooks.length + corruptedCount >= webhooksMax
}

function webhookList(localized: LocalizedDashboard, { webhooks, canPost }: WebhooksInput): Html {
  const { webhooks: texts } = localized.texts
  const row = (webhook: Webhook): Html => {
    const path = `/settings/notifications/webhooks/${webhook.id}`
    return markup`<li>
      <div><strong>${webhookAddress(webhook.url)}</strong> ${stateBadge(localized, webhook)}
      ${factsOf(localized, webhook)}</div>
      ${canPost && markup`<form method="post" action="${path}/test"><button type="submit" class="quiet">${texts.test}</button></form>`}
      <form method="get" action="${path}/delete"><button type="submit" class="quiet danger">${texts.delete}</button></form>
    </li>`
  }
  return markup`<ul class="items">${webhooks.map(row)}</ul>`
}

function stateBadge({ texts }: LocalizedDashboard, { disabled, failingSinceMicros }: Webhook): Html {
  const { active, failing, disabled: off } = texts.webhooks
  if (disabled !== undefined) return badge(off, 'bad')
  return failingSinceMicros === undefined ? badge(active, 'good') : badge(failing, 'warm')
}

function factsOf(localized: LocalizedDashboard, webhook: Webhook): Html {
  const { webhooks: texts } = localized.texts
  const { createdAtMicros, failingSinceMicros, disabled } = webhook
  const at = (wording: string, micros: number): Html =>
    filled(wording, { time: timeElement(localized, micros) })
  return markup`<p>${at(texts.createdAt, createdAtMicros)}${
    failingSinceMicros !== undefined && markup` &middot; ${at(texts.failingSince, failingSinceMicros)}`
  }${disabled && markup` &middot; ${at(texts.disabledAt, disabled.atMicros)}`}</p>
      ${disabled && markup`<p>${texts.reasons[disabled.reason]} ${texts.enableAgain}</p>`}`
}

/** The form for another webhook, unless there are as many as there may be. */
function newWebhook(localized: LocalizedDashboard, input: WebhooksInput): Html {
  const { webhooks: texts } = localized.texts
  const { url, problems, reauthentication } = input
  if (isFull(input)) {
    const limit = localized.number(webhooksMax)
    return setting(texts.addHeading, filledText(texts.limitReached, { limit }), undefined)
  }
  const fault = faults(problems, fieldOrder)
  return setting(
    texts.addHeading,
    undefined,
    markup`<form method="post" action="/settings/notifications/webhooks">
    ${inputField({
      name: 'url',
      type: 'url',
      label: texts.address,
      hint: texts.addressHint,
      value: url,
      isRequired: true,
      attributes: markup`dir="ltr"`,
      ...fault('url'),
    })}
    ${reauthenticationField({ reauthentication, problem: problems.proof, id: 'proof', hasFocus: fault('proof').hasFocus })}
    <button type="submit">${texts.add}</button>
  </form>`,
  )
}
