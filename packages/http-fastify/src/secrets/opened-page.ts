import { shownText, ticketMicros, type OpenedSecret, type SecretFile } from '@sotto/core'
import {
  type Page,
  attachedStyle,
  copyBar,
  copying,
  fileList,
  filled,
  hourElement,
  type Html,
  localTimes,
  markup,
  noteElement,
  openEnvelope,
  pageScript,
  saving,
  timeElement,
  timeLeft,
  untranslated,
} from '@sotto/html'
import { linkTexts } from '@sotto/texts/link'
import { textFileName } from '../http/answers/attachment.ts'
import type { LocalizedLink } from '../link/localized-link.ts'
import { linkPage } from '../link/link-page.ts'
import { messageStyle } from '../link/style.ts'
import { savingPart, sealedOpenedFilesScript, sealedOpenedScript, sealedText } from '../sealed/pages.ts'

/** The script of an opened message. */
const openedScript = pageScript(localTimes, copying, saving)

/** The script of an opened message with files. */
const openedFilesScript = pageScript(localTimes, copying, saving, timeLeft)

/** The script of files without a text. */
const filesScript = pageScript(localTimes, timeLeft)

/**
 * The page of an opened message. What cannot be shown again says so first, and what copies it stays on the screen. Files without a text can
 * still be saved: until when comes first then.
 */
export function openedPage(localized: LocalizedLink, secret: OpenedSecret): Page {
  const { opened, files } = localized.texts
  const { from, label, note, opensLeft, attached, sealed = false } = secret
  const hasText = attached === undefined || note !== ''
  const until = attached && savedUntil(localized, attached)
  const isLast = opensLeft === 0
  const last = attached === undefined ? opened.last : files.last
  const origin =
    from === undefined
      ? !isUntitled(label) && opened.title
      : filled(opened.from, { name: untranslated(from) })
  const main = markup`<div class="letter">${openEnvelope}<div>
      ${origin && markup`<p class="title">${origin}</p>`}
      <h1>${untranslated(label)}</h1>
    </div></div>
    ${isLast && markup`<p class="last">${hasText ? last : until}</p>`}
    ${
      hasText &&
      (sealed
        ? sealedText(localized, noteBar(localized, label), note)
        : markup`${noteBar(localized, label)}
    ${noteElement(note)}`)
    }
    ${sealed && attached && savingPart(localized)}${attached && filesPart(localized, attached, { isMain: !hasText, until: isLast && !hasText ? undefined : until })}
    ${remaining(localized, secret)}`
  const whole = sealed ? sealedOpenedScript : openedScript
  const withFiles = sealed ? sealedOpenedFilesScript : hasText ? openedFilesScript : filesScript
  return linkPage(localized, {
    title: opened.title,
    main,
    script: attached === undefined ? whole : withFiles,
    sends: sealed && attached !== undefined,
    sheets: attached === undefined ? [messageStyle] : [messageStyle, attachedStyle],
    hasMessage: true,
  })
}

/** Whether the title itself says, in any language, that it is a confidential message, as that of a secret which got none does. */
function isUntitled(label: string): boolean {
  return Object.values(linkTexts).some(({ opened }) => label.startsWith(opened.title))
}

/**
 * The files of an opened message. Each is saved, never shown: its address answers with an attachment.
 * @param options.until when they can be saved, unless the page has said it already
 */
function filesPart(
  localized: LocalizedLink,
  { files, ticket }: NonNullable<OpenedSecret['attached']>,
  { isMain, until }: { readonly isMain: boolean; readonly until: Html | undefined },
): Html {
  const { heading, save, unchecked } = localized.texts.files
  const look = isMain ? 'button' : 'button secondary'
  const link = ({ name }: SecretFile, at: number, nameId: string): Html =>
    markup`<a class="${look}" href="/f/${ticket}/${at + 1}" download="${shownText(name)}" id="save-${at + 1}" aria-labelledby="save-${at + 1} ${nameId}">${save}</a>`
  return markup`<section class="attached"><h2>${heading}</h2>
      ${fileList(localized, files, link)}
      ${until && markup`<p>${until}</p>`}
      <p class="hint">${unchecked}</p>
    </section>`
}

/** The sentence that says until when the files can be saved. */
function savedUntil(
  localized: LocalizedLink,
  { expiresAtMicros }: NonNullable<OpenedSecret['attached']>,
): Html {
  const { until, over } = localized.texts.files
  const seconds = ticketMicros / 1_000_000
  const when = markup`<span data-left="${seconds}" data-over="${over}">${localized.fromNow(seconds)}</span>`
  return filled(until, { time: hourElement(localized, expiresAtMicros), when })
}

function noteBar({ texts: { opened } }: LocalizedLink, label: string): Html {
  return markup`<div class="note-bar">
      ${copyBar('note', opened, 'main')}
      <button type="button" class="secondary" data-save="note" data-file="${textFileName(label)}" hidden>${opened.save}</button>
      <noscript><p class="hint">${opened.select}</p></noscript>
    </div>`
}

function remaining(localized: LocalizedLink, { opensLeft, expiresAtMicros }: OpenedSecret): Html | undefined {
  if (opensLeft === 0) return undefined
  const { left, unlimited } = localized.texts.opened
  const time = timeElement(localized, expiresAtMicros)
  if (opensLeft === undefined) return markup`<p class="after">${filled(unlimited, { time })}</p>`
  const { wording, number } = localized.counted(left, opensLeft)
  return markup`<p class="after">${filled(wording, { time, count: number })}</p>`
}
