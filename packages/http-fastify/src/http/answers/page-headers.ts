import { pageSecurity } from './security-headers.ts'
import type { Page } from '@sotto/html'

/** The headers of a page: its language, and a policy that allows exactly what it contains. */
export function pageHeaders(page: Page): Readonly<Record<string, string>> {
  return {
    ...pageSecurity,
    'content-language': page.language,
    'content-security-policy': contentSecurityPolicy(page),
    // A browser would send `Origin: null` with the form under no-referrer, as from any other site.
    'referrer-policy': page.hasForm ? 'same-origin' : 'no-referrer',
  }
}

/** CSP 3: the page's own sheets and script, by digest, its icon and its form. */
function contentSecurityPolicy({ hasForm, leadsTo, sends, embedded }: Page): string {
  const allowed = (directive: string): string[] => {
    const sources = embedded.filter((each) => each.directive === directive).map(({ source }) => source)
    return sources.length === 0 ? [] : [`${directive} ${sources.join(' ')}`]
  }
  return [
    "default-src 'none'",
    ...allowed('style-src'),
    ...allowed('script-src'),
    ...(sends === true ? ["connect-src 'self'"] : []),
    'img-src data:',
    `form-action ${hasForm ? ownForms(leadsTo) : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function ownForms(leadsTo: string | undefined): string {
  return leadsTo === undefined ? "'self'" : `'self' ${leadsTo}`
}
