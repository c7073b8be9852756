import { markup } from '../http/html.ts'
import { linkHeaders } from '../link/link-headers.ts'
import { documentOf } from '../link/pages/document.ts'
import { en } from '../link/texts/en.ts'

/** The page at the base address of a service, with its headers. */
export interface StartPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** Says what this service is, and where it is described. In the look of the pages of links. */
export function startPage(): StartPage {
  const title = 'Share confidential messages by link'
  const main = markup`<h1>${title}</h1>
    <p class="lead">This is Sotto, a service that stores confidential messages and gives each of them a link.</p>
    <p>If somebody sent you a link, open exactly that link: there is nothing to read on this page.</p>
    <p>If you want to share messages with a program, the documentation of the API describes how.</p>
    <p><a class="button" href="/docs">Read the documentation</a></p>`
  const body = documentOf({ texts: en, title, main, scripted: false })
  const page = { body, hasForm: false, hasScript: false }
  return { html: body, headers: { ...linkHeaders.page(page, en.language), vary: 'Accept' } }
}
