import type { SecretOverview } from '@sotto/core'
import { banner } from '../../design/app-elements.ts'
import type { Page } from '../../design/document.ts'
import { copyBar, timeElement } from '../../design/elements.ts'
import { pageScript } from '../../design/embedded.ts'
import { filled, markup, type Html, type HtmlValue } from '../../design/html.ts'
import { copying, localTimes, sendOnce, sharing } from '../../design/script.ts'
import { qrCode } from '../qr-code.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { signShapes } from '../../design/signs.ts'
import { crumbs, ownerPage } from './layout.ts'
import { isOpenable, statusSign, statusText } from './secret-status.ts'

export interface SecretPageInput {
  readonly secret: SecretOverview
  /** The address that recipients open. */
  readonly url: string
  readonly folderLabel: string | undefined
  /** Whether it was shared just now. */
  readonly isNew: boolean
  readonly nowMicros: number
}

const script = pageScript(localTimes, copying, sharing, sendOnce)

/** One secret: its link, what happened to it, and the way to destroy it. */
export function secretPage(localized: LocalizedDashboard, input: SecretPageInput): Page {
  const texts = localized.texts.secrets.secret
  const { secret, folderLabel, isNew } = input
  const { id, folderId } = secret
  const folder =
    folderLabel === undefined ? undefined : { path: `/dashboard?folder=${folderId}`, label: folderLabel }
  const main = markup`<div class="head">
      ${crumbs(localized, folder)}
      <h1><bdi>${secret.label}</bdi></h1>
      <p class="state">${signShapes}${statusSign(secret)} ${statusText(localized, secret, input.nowMicros)}</p>
    </div>
    ${isNew && secret.opens === 0 && banner('success', texts.created)}
    ${trouble(localized, secret)}
    ${isOpenable(secret) && linkPart(localized, input)}
    <div class="halves">${activity(localized, secret)}${details(localized, secret)}</div>
    <form class="panel end" method="get" action="/secrets/${id}/destroy"><h2>${texts.destroy}</h2><p>${texts.destroyHint}</p><button type="submit" class="danger">${texts.destroy}</button></form>`
  return ownerPage({ localized, title: texts.title, place: 'secrets', folderId, main, script })
}

/** Why nobody can open it now. */
function trouble(localized: LocalizedDashboard, secret: SecretOverview): Html | undefined {
  const { disabledLead, usedUpLead, lockedLead } = localized.texts.secrets.secret
  if (secret.isDisabled) return banner('error', disabledLead)
  if (!secret.hasNote) return markup`<p>${usedUpLead}</p>`
  if (secret.lockedUntilMicros === undefined) return undefined
  return banner('warning', filled(lockedLead, { time: timeElement(localized, secret.lockedUntilMicros) }))
}

function linkPart(localized: LocalizedDashboard, { secret, url, isNew }: SecretPageInput): Html {
  const texts = localized.texts.secrets.secret
  const { copyLink: copy, copied, copyFailed } = texts
  return markup`<section class="panel link">
    <h2>${texts.link}</h2>
    <p><code class="once" id="link" dir="ltr" translate="no">${url}</code></p>
    ${copyBar('link', { copy, copied, copyFailed }, isNew ? 'main first' : 'main')}
    <p id="message" hidden>${messageOf(localized, secret, url)}</p>
    <div class="beside">
      ${copyBar('message', { copy: texts.copyMessage, copied, copyFailed })}
      <button type="button" class="quiet" data-share="link" hidden>${texts.share}</button>
      ${isNew && markup`<a class="button quiet" href="/secrets/new?folder=${secret.folderId}">${texts.another}</a>`}
    </div>
    ${qrCode(url, texts.qr)}
    <h3>${texts.recipientHeading}</h3>
    <p>${texts.recipient}${secret.hasPassword && ` ${texts.recipientWithPassword}`}</p>
    <p class="warning">${texts.ownOpens}</p>
  </section>`
}

/** A sentence for a chat or a mail: the link, how often it can be opened, and when it is deleted. */
function messageOf(
  localized: LocalizedDashboard,
  { opensLeft, expiresAtMicros }: SecretOverview,
  url: string,
): Html {
  const { messageOnce, message, messageUnlimited } = localized.texts.secrets.secret
  const time = timeElement(localized, expiresAtMicros)
  if (opensLeft === undefined) return filled(messageUnlimited, { url, time })
  if (opensLeft === 1) return filled(messageOnce, { url, time })
  const { wording, number } = localized.counted(message, opensLeft)
  return filled(wording, { url, time, count: number })
}

function activity(localized: LocalizedDashboard, { opens, opensLeft, openedAtMicros }: SecretOverview): Html {
  const texts = localized.texts.secrets.secret
  const left = opensLeft === undefined ? texts.unlimited : localized.number(opensLeft)
  return markup`<section>
    <h2>${texts.activity}</h2>
    ${factList([
      [texts.opens, localized.number(opens)],
      [texts.opensLeft, left],
    ])}
    ${openedAtMicros.length === 0 ? markup`<p class="soft">${texts.noOpens}</p>` : openTimes(localized, openedAtMicros)}
  </section>`
}

function openTimes(localized: LocalizedDashboard, openedAtMicros: readonly number[]): Html {
  const texts = localized.texts.secrets.secret
  const { wording, number } = localized.counted(texts.latestOpens, openedAtMicros.length)
  return markup`<h3>${texts.times}</h3>
    <p class="hint">${filled(wording, { count: number })}</p>
    <ol class="times">${openedAtMicros.map((micros) => markup`<li>${timeElement(localized, micros)}</li>`)}</ol>`
}

function details(localized: LocalizedDashboard, secret: SecretOverview): Html {
  const texts = localized.texts.secrets.secret
  const { openLimit, hasPassword, notify } = secret
  const yesNo = (isSo: boolean): string => (isSo ? texts.yes : texts.no)
  return markup`<section>
    <h2>${texts.details}</h2>
    ${factList([
      [texts.sharedAt, timeElement(localized, secret.link.createdAtMicros)],
      [texts.expiresAt, timeElement(localized, secret.expiresAtMicros)],
      [texts.limit, openLimit === undefined ? texts.unlimited : localized.number(openLimit)],
      [texts.hasPassword, yesNo(hasPassword)],
      [texts.notifies, yesNo(notify)],
    ])}
  </section>`
}

function factList(facts: readonly (readonly [string, HtmlValue])[]): Html {
  return markup`<dl class="facts">${facts.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}
