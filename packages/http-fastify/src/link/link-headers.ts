import { createHash } from 'node:crypto'
import { jsonHeaders } from '../http/answers.ts'
import type { Page } from './pages/pages.ts'
import { script } from './pages/script.ts'
import { style } from './pages/style.ts'

type Headers = Readonly<Record<string, string>>

/**
 * The headers of every answer of a link: not cached, framed or indexed, and not readable by other sites.
 * @param secure whether links are https: then browsers must not use http on this host (RFC 6797)
 */
export function createLinkHeaders({ secure }: { readonly secure: boolean }) {
  const common: Headers = {
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept, Accept-Language',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  const json: Headers = { ...common, ...jsonHeaders }
  const html: Headers = {
    ...common,
    'content-type': 'text/html; charset=utf-8',
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
  return {
    json,
    page: (page: Page, language: string): Headers => ({
      ...html,
      'content-language': language,
      'content-security-policy': contentSecurityPolicy(page),
      // Under no-referrer a browser would send `Origin: null` with the form, as from any other site.
      'referrer-policy': page.hasForm ? 'same-origin' : 'no-referrer',
    }),
  }
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
