import { baseStyle, cardStyle, wideStyle } from './base-style.ts'
import { pageScript, type Embedded } from './embedded.ts'
import { markup, type Html, type HtmlValue } from './html.ts'
import { languageFacts } from '@sotto/texts'
import type { Localized } from './localized.ts'
import { staleFaults } from './script.ts'
import { surfaces } from './palette.ts'

/** A page, ready to be sent, and what its headers must allow. */
export interface Page {
  /** The document in UTF-8. */
  readonly body: Buffer
  readonly language: string
  /** Whether the page has a form that posts to its own origin. */
  readonly hasForm: boolean
  /** Where its forms may lead in the end, besides. */
  readonly leadsTo?: string | undefined
  /** Whether the page's script sends its form. */
  readonly sends?: boolean | undefined
  readonly embedded: readonly Embedded[]
}

/** What a page is made of. */
export interface PageParts {
  readonly localized: Localized
  /**
   * The title for the tab and for screen readers; on a page with an alert they say so first. Never a label: titles are saved in the
   * browser's history.
   */
  readonly title: string
  /** The text for previews of the page's address. */
  readonly description?: string | undefined
  /** `card`: one thing to read or to do, in a narrow column. `wide`: everything else. */
  readonly layout: 'card' | 'wide'
  /** The text of a link to the content, for pages that have something before it. */
  readonly skip?: string | undefined
  /** What stands beside the name of the service. */
  readonly navigation?: Html | undefined
  /** Where the name of the service leads. None on the pages of links: a stray tap must not leave a message that is shown once. */
  readonly home?: string | undefined
  readonly main: Html
  readonly footer?: HtmlValue
  /** Whether a field has a fault; false by default. */
  readonly hasFault?: boolean | undefined
  /** Posts to its own origin; false by default. */
  readonly hasForm?: boolean | undefined
  /** Where its forms may lead in the end, besides: sources of the policy. Some browsers hold redirects after a form to it. */
  readonly leadsTo?: string | undefined
  /** Whether its script sends its form, to show how far that is; false by default. */
  readonly sends?: boolean | undefined
  /** The sheets of the page's area, which follow the base sheet. */
  readonly sheets?: readonly Embedded[] | undefined
  readonly script?: Embedded | undefined
}

const faultScript = pageScript(staleFaults)

/** A whole page in the look that all pages share. It loads nothing: styles, scripts and icon are part of it. */
export function pageOf(parts: PageParts): Page {
  const {
    localized,
    layout,
    navigation,
    sheets = [],
    script,
    hasFault,
    hasForm = false,
    leadsTo,
    sends,
  } = parts
  const { sheet } = localized.brand
  const frame = [baseStyle, layout === 'card' ? cardStyle : wideStyle]
  const styles = [...frame, ...(sheet === undefined ? [] : [sheet]), ...sheets]
  const scripts = [navigation && shownAnew, script, hasFault === true ? faultScript : undefined].filter(
    (each) => each !== undefined,
  )
  return {
    body: documentOf(parts, styles, scripts),
    language: localized.language,
    hasForm,
    leadsTo,
    sends,
    embedded: [...styles, ...scripts],
  }
}

/**
 * A page of somebody who is signed in is asked for again when the browser goes back to it: some browsers keep pages as they were, on plain
 * http even those that say `no-store`, and would show them after signing out.
 */
const shownAnew = pageScript(`
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  document.body.hidden = true
  location.reload()
})
`)

/**
 * The dash is not part of the markup, where bundlers would leave it as it is: the built files are ASCII, because Node.js keeps them in half
 * the memory then.
 */
const dash = '–'

/** The sheets and the scripts, most of a page, are in UTF-8 already: to encode them each time takes longer than all the rest. */
function documentOf(parts: PageParts, styles: readonly Embedded[], scripts: readonly Embedded[]): Buffer {
  const { layout, skip, navigation, main, footer } = parts
  const body = markup`
    </head>
    <body class="${layout}">
      ${skip !== undefined && markup`<a class="skip" href="#content">${skip}</a>`}
      <header class="top">${nameOf(parts)}${navigation}</header>
      <main id="content">
      ${main}
      </main>
      <footer class="bottom">${footer}</footer>
      `
  return Buffer.concat([
    utf8(headOf(parts)),
    ...styles.map(({ element }) => element),
    utf8(body),
    ...scripts.map(({ element }) => element),
    end,
  ])
}

const end = utf8(markup`
  </body>
  </html>
  `)

function headOf({ localized: { language, direction, brand }, title, description, main }: PageParts): Html {
  const isRefusal = main.text.includes('role="alert"')
  return markup`<!doctype html>
    <html lang="${language}" dir="${direction}">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>${isRefusal && languageFacts[language].error}${title} ${dash} ${brand.name}</title>
      ${description !== undefined && markup`<meta name="description" content="${description}">`}
      ${hints}
      <link rel="icon" href="${brand.icon}">
      `
}

function utf8({ text }: Html): Buffer {
  return Buffer.from(text)
}

function nameOf({ home, localized: { brand } }: PageParts): Html {
  const name = markup`${brand.mark}${brand.name}`
  return home === undefined
    ? markup`<span class="home">${name}</span>`
    : markup`<a class="home" href="${home}">${name}</a>`
}

/** Browsers and search engines must not turn parts of a message into links, translate it, or index it. */
const hints = markup`<meta name="color-scheme" content="light dark">
  <meta name="theme-color" media="(prefers-color-scheme: light)" content="${surfaces.light.paper}">
  <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${surfaces.dark.paper}">
  <meta name="robots" content="noindex">
  <meta name="google" content="notranslate">
  <meta name="format-detection" content="telephone=no,date=no,address=no,email=no">`
