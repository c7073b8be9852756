import type { SecretOverview, ViewedSecret } from '@sotto/core'
import {
  banner,
  type Page,
  copyBar,
  isolated,
  timeElement,
  pageScript,
  fileList,
  attachedStyle,
  filled,
  filledText,
  markup,
  type Html,
  type HtmlValue,
  copying,
  dayTimes,
  secretLinkScript,
  sendOnce,
  sharing,
  secretStyle,
  signShapes,
} from '@sotto/html'
import { qrCode } from '../shared/qr-code.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { doneBanner, type Done } from '../shared/done.ts'
import { crumbs, ownerPage } from '../shared/layout.ts'
import { isOpenable, statusSign, statusText } from './secret-status.ts'
import { timeline } from './timeline.ts'

export interface SecretPageInput {
  readonly secret: ViewedSecret
  /** The address that recipients open. */
  readonly url: string
  readonly folderLabel: string | undefined
  /** Whether it was shared just now. */
  readonly isNew: boolean
  /** What an action did. */
  readonly done: Done | undefined
  readonly nowMicros: number
}

/** What was done is said once: a reload does not say it again. */
const saidOnce = `
if (location.search) history.replaceState(null, '', location.pathname)
`

const parts = [dayTimes, copying, sharing, sendOnce, saidOnce]
const script = pageScript(...parts)
/** Takes the key from the address before `saidOnce` removes it. */
export const sealedScript = pageScript(secretLinkScript, ...parts)

/** One secret: its link, what happened to it and when, and the way to destroy it. */
export function secretPage(localized: LocalizedDashboard, input: SecretPageInput): Page {
  const texts = localized.texts.secrets.secret
  const { secret, folderLabel, isNew } = input
  const isUntouched = secret.opens === 0 && secret.lockedUntilMicros === undefined
  const { folderId } = secret
  const folder =
    folderLabel === undefined ? undefined : { path: `/dashboard?folder=${folderId}`, label: folderLabel }
  const main = markup`<div class="head">
      ${crumbs(localized, folder)}
      <h1>${isolated(secret.label)}</h1>
      <p class="state">${signShapes}${statusSign(secret)} ${statusText(localized, secret, input.nowMicros)}</p>
    </div>
    ${secret.sealed !== true && isNew && isUntouched && banner('success', texts.created)}${doneBanner(localized, input.done)}
    ${secret.lockedUntilMicros !== undefined && lockedPart(localized, secret)}
    ${isOpenable(secret) && (secret.sealed === true ? sealedLinkPart(localized, input) : linkPart(localized, input))}
    <div class="halves">${timeline(localized, secret, input.nowMicros)}${details(localized, secret)}</div>
    ${secret.files.length > 0 && filesPart(localized, secret)}${endForm(localized, secret)}`
  return ownerPage({
    localized,
    title: texts.title,
    place: 'secrets',
    only: 'secret',
    folderId,
    main,
    script: secret.sealed === true ? sealedScript : script,
    sheets: secret.files.length > 0 ? [secretStyle, attachedStyle] : [secretStyle],
  })
}

/** Ends a lock by wrong passwords. */
function lockedPart(localized: LocalizedDashboard, { id }: ViewedSecret): Html {
  const { unlock, unlockHint } = localized.texts.secrets.secret
  return markup`<form class="banner warning" method="post" action="/secrets/${id}/unlock"><p>${unlockHint}</p><button type="submit" class="secondary">${unlock}</button></form>`
}

/** Names and sizes of sealed files are known to nobody here: only their number is shown. */
function filesPart(localized: LocalizedDashboard, { files, showsFiles, sealed }: ViewedSecret): Html {
  const { files: texts, secrets } = localized.texts
  const { wording, number } = localized.counted(texts.counted, files.length)
  const shown = fact(texts.shown, showsFiles ? secrets.secret.yes : secrets.secret.no)
  return markup`<section class="attached">
      <h2>${texts.heading}</h2>
      ${sealed === true ? markup`<p>${filledText(wording, { count: number })}</p>` : markup`${fileList(localized, files)}<dl class="facts">${shown}</dl>`}
      <p class="hint">${texts.deleted}</p>
    </section>
    `
}

function linkPart(localized: LocalizedDashboard, input: SecretPageInput): Html {
  const { link, qr } = localized.texts.secrets.secret
  return markup`<section class="panel link">
    <h2>${link}</h2>
    ${linkToCopy(localized, input)}
    ${qrCode(input.url, qr)}
    ${recipientPart(localized, input)}
  </section>`
}

/** The link of a sealed secret lacks its key, unless the address of the page has it: then the script shows what can be copied. */
function sealedLinkPart(localized: LocalizedDashboard, input: SecretPageInput): Html {
  const { sealed, secrets } = localized.texts
  return markup`<section class="panel link">
    <h2>${secrets.secret.link}</h2>
    <p data-when="later">${sealed.keyElsewhere}</p>
    <div data-when="keyed" hidden>${banner('warning', sealed.keyNow)}${linkToCopy(localized, input)}</div>
    ${recipientPart(localized, input)}
  </section>`
}

function linkToCopy(localized: LocalizedDashboard, { secret, url, isNew }: SecretPageInput): Html {
  const texts = localized.texts.secrets.secret
  const { copyLink: copy, copied, copyFailed } = texts
  const shown = secret.sealed === true ? markup`<span data-url>${url}</span>` : url
  return markup`<p><code class="once" id="link" dir="ltr" translate="no">${shown}</code></p>
    ${copyBar('link', { copy, copied, copyFailed }, isNew ? 'main first' : 'main')}
    <p id="message" hidden>${messageOf(localized, secret, shown)}</p>
    <div class="beside">
      ${copyBar('message', { copy: texts.copyMessage, copied, copyFailed })}
      <button type="button" class="quiet" data-share="link" hidden>${texts.share}</button>
      ${isNew && markup`<a class="button quiet" href="/secrets/new?folder=${secret.folderId}">${texts.another}</a>`}
    </div>`
}

function recipientPart(localized: LocalizedDashboard, { secret }: SecretPageInput): Html {
  const texts = localized.texts.secrets.secret
  return markup`<h3>${texts.recipientHeading}</h3>
    <p>${texts.recipient}${secret.hasPassword && ` ${texts.recipientWithPassword}`}</p>
    <p class="warning">${texts.ownOpens}</p>`
}

/** Sentences for a chat or a mail: the link, how often it can be opened, when it is deleted, and that it needs a password. */
function messageOf(localized: LocalizedDashboard, secret: SecretOverview, url: HtmlValue): Html {
  const { messagePassword } = localized.texts.secrets.secret
  return markup`${linkSentence(localized, secret, url)}${secret.hasPassword && ` ${messagePassword}`}`
}

function linkSentence(
  localized: LocalizedDashboard,
  { opensLeft, expiresAtMicros }: SecretOverview,
  url: HtmlValue,
): Html {
  const { messageOnce, message, messageUnlimited } = localized.texts.secrets.secret
  const time = timeElement(localized, expiresAtMicros, 'zoned')
  if (opensLeft === undefined) return filled(messageUnlimited, { url, time })
  if (opensLeft === 1) return filled(messageOnce, { url, time })
  const { wording, number } = localized.counted(message, opensLeft)
  return filled(wording, { url, time, count: number })
}

function details(localized: LocalizedDashboard, secret: SecretOverview): Html {
  const { fields, secret: texts } = localized.texts.secrets
  const { opens, opensLeft, hasPassword, notify } = secret
  const yesNo = (isSo: boolean): string => (isSo ? texts.yes : texts.no)
  return markup`<section>
    <h2>${texts.details}</h2>
    <dl class="facts">
      ${fact(texts.opens, localized.number(opens))}
      ${isOpenable(secret) && fact(texts.opensLeft, opensLeft === undefined ? texts.unlimited : localized.number(opensLeft))}
      ${fact(fields.password, yesNo(hasPassword))}
      ${fact(texts.notifies, yesNo(notify))}
      ${secret.sealed === true && fact(localized.texts.sealed.inBrowser, texts.yes)}
    </dl>
  </section>`
}

function fact(name: string, value: string): Html {
  return markup`<dt>${name}</dt><dd>${value}</dd>`
}

/** Leads to the question before a secret is destroyed; a finished one can only be removed from the list. */
function endForm(localized: LocalizedDashboard, secret: SecretOverview): Html {
  const texts = localized.texts.secrets.secret
  const [button, hint] = isOpenable(secret)
    ? [texts.destroy, texts.destroyHint]
    : [texts.remove, texts.removeHint]
  return markup`<form class="panel end" method="get" action="/secrets/${secret.id}/destroy"><h2>${button}</h2><p>${hint}</p><button type="submit" class="danger">${button}</button></form>`
}
