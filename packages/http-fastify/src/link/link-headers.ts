import { createHash } from 'node:crypto'
import { jsonHeaders, pageHeaders } from '../http/security-headers.ts'
import type { Page } from './pages/pages.ts'
import { script } from './pages/script.ts'
import { style } from './pages/style.ts'

type Headers = Readonly<Record<string, string>>

/** On every answer of a link, beside the headers of all answers: not indexed. */
const common: Headers = {
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept, Accept-Language',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

/** The headers of every answer of a link, as JSON or as a page. */
export const linkHeaders = {
  json: { ...jsonHeaders, ...common } as Headers,
  page: (page: Page, language: string): Headers => ({
    ...pageHeaders,
    ...common,
    'content-language': language,
    'content-security-policy': contentSecurityPolicy(page),
    // Under no-referrer a browser would send `Origin: null` with the form, as from any other site.
    'referrer-policy': page.hasForm ? 'same-origin' : 'no-referrer',
  }),
}

const styleSource = `style-src ${hashSource(style)}`
const scriptSource = `script-src ${hashSource(script)}`

/** Allows a page exactly what it contains (CSP 3): its own style and script, by hash, its icon and its form. */
function contentSecurityPolicy({ hasForm, hasScript }: Page): string {
  return [
    "default-src 'none'",
    styleSource,
    ...(hasScript ? [scriptSource] : []),
    'img-src data:',
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
