import type { Texts } from '../texts/texts.ts'
import { markup, trusted, type Html } from '../../http/html.ts'
import { icon, mark } from './mark.ts'
import { script } from './script.ts'
import { style } from './style.ts'

export interface DocumentParts {
  readonly texts: Texts
  /** For the tab and for screen readers. Never the label: titles are saved in the browser's history. */
  readonly title: string
  /** For previews of the link. */
  readonly description?: string
  readonly main: Html
  /** Whether the page needs the script. */
  readonly scripted: boolean
}

const scriptElement = trusted(`<script>${script}</script>`)

/** A whole page, which loads nothing: style, script and icon are part of it. */
export function documentOf({ texts, title, description, main, scripted }: DocumentParts): string {
  const page = markup`<!doctype html>
    <html lang="${texts.language}" dir="${texts.direction}">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>${title} – Sotto</title>
      ${description !== undefined && markup`<meta name="description" content="${description}">`}
      ${head}
    </head>
    <body>
      <header>${mark}<span>Sotto</span></header>
      <main>
      ${main}
      </main>
      <footer><p>${texts.about}</p></footer>
      ${scripted && scriptElement}
    </body>
    </html>
    `
  return page.text
}

/** Browsers and search engines must not turn parts of a message into links, translate it, or index it. */
const head = markup`<meta name="color-scheme" content="light dark">
  <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f4ee">
  <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#111415">
  <meta name="robots" content="noindex">
  <meta name="google" content="notranslate">
  <meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
  <link rel="icon" href="${icon}">
  ${trusted(`<style>${style}</style>`)}`
