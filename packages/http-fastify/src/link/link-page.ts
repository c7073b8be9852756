import type { Language } from '@sotto/core'
import {
  pageOf,
  type Page,
  type PageParts,
  languageLinks,
  type Embedded,
  filled,
  markup,
  type Html,
  emptyEnvelope,
  remembered,
} from '@sotto/html'
import type { LinkTexts } from '@sotto/texts/link'
import { linkTexts } from '@sotto/texts/link'
import type { LocalizedLink } from './localized-link.ts'
import { sealedLinkScript } from './scripts.ts'
import { linkFormStyle, linkStyle } from './style.ts'

/** The one page for all links that cannot be opened. @param lead for all files that cannot be fetched */
export function gonePage(localized: LocalizedLink, lead = localized.texts.gone.lead): Page {
  const { heading, advice, help } = localized.texts.gone
  const { contact } = localized.brand
  const main = markup`${emptyEnvelope}<h1>${heading}</h1>
    <p class="lead">${lead}</p>
      <p>${advice}</p>
      ${contact && markup`<p>${filled(help, { contact })}</p>`}`
  return linkPage(localized, { title: heading, main })
}

/** The page of an address that has none. */
export function unknownPage(localized: LocalizedLink): Page {
  const { heading, lead } = localized.texts.unknown
  return plainPage(localized, heading, markup`<p class="lead">${lead}</p>`)
}

/** A page that informs and leads back to the page of the link. */
export function noticePage(
  localized: LocalizedLink,
  { heading, lead }: LinkTexts['busy'],
  back: 'retry' | 'restart',
): Page {
  return plainPage(
    localized,
    heading,
    markup`<p class="lead">${lead}</p>
      <p><a class="button" href="">${localized.texts[back]}</a></p>`,
    { script: sealedLinkScript },
  )
}

/** A page with a heading and what is said about it. */
export function plainPage(
  localized: LocalizedLink,
  heading: string,
  content: Html,
  { sign, script }: { readonly sign?: Html; readonly script?: Embedded } = {},
): Page {
  const main = markup`${sign}<h1>${heading}</h1>
    ${content}`
  return linkPage(localized, { title: heading, main, script })
}

interface OwnParts extends Pick<
  PageParts,
  'title' | 'description' | 'main' | 'hasFault' | 'hasForm' | 'script' | 'sends'
> {
  /** Style sheets beside the one of all pages of links. */
  readonly sheets?: readonly Embedded[]
  /** Whether it shows a message, which asking for the page in another language would lose. */
  readonly hasMessage?: boolean
}

const choiceOf = remembered((language: Language) => languageLinks({ language }, linkTexts[language].language))

/** A page of a link, in the frame that all of them have. */
export function linkPage(localized: LocalizedLink, parts: OwnParts): Page {
  const footer = markup`<p>${localized.texts.about}</p>${parts.hasMessage !== true && choiceOf(localized.language)}`
  const sheets = [linkStyle, ...(parts.hasForm === true ? [linkFormStyle] : []), ...(parts.sheets ?? [])]
  return pageOf({ localized, layout: 'card', footer, ...parts, sheets })
}
