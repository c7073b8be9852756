import { createHash } from 'node:crypto'
import { jsonHeaders } from '../answers.ts'
import type { Page } from './pages/pages.ts'
import { script } from './pages/script.ts'
import { style } from './pages/style.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Headers of everything that a link answers: never cached, framed or indexed, never handed to another site.
 * @param secure whether links are given out with https: then browsers are told to stay with it (RFC 6797)
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
      // Under no-referrer a browser would send `Origin: null` with the form, like any stranger.
      'referrer-policy': page.hasForm ? 'same-origin' : 'no-referrer',
    }),
  }
}

const styleSource = `style-src ${hashSource(style)}`
const scriptSource = `script-src ${hashSource(script)}`

/** Allows a page exactly what stands in it (CSP 3): its own style and script by their hashes, its icon, its form. */
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
