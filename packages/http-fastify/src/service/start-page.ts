import { type Brand, pageOf, filled, markup, localize } from '@sotto/html'
import { pageHeaders } from '../http/answers/page-headers.ts'
import { linkTexts } from '@sotto/texts/link'

/** A page of the service itself, with its headers. */
export interface ServicePage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** Says what this service is, and where it is described. */
export function startPage(brand: Brand): ServicePage {
  const localized = localize('en', linkTexts.en, brand)
  const title = 'Share confidential messages by link'
  const main = markup`<h1>${title}</h1>
    <p class="lead">This is ${brand.name}, a service that stores confidential messages and gives each of them a link.</p>
    <p>If somebody sent you a link, open exactly that link: there is nothing to read on this page.</p>
    <p>If you want to share messages with a program, the documentation of the API describes how.</p>
    <p><a class="button" href="/docs">Read the documentation</a></p>`
  const footer = markup`<p>${filled(localized.texts.about, { name: brand.name })}</p>`
  const page = pageOf({ localized, title, layout: 'card', main, footer })
  return {
    html: page.body.toString(),
    headers: { ...pageHeaders(page), 'x-robots-tag': 'noindex, nofollow, noarchive', vary: 'Accept' },
  }
}
