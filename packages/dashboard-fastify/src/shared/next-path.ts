import type { LocalizedDashboard } from './localized.ts'

/** Every page of an owner, with `:id` for an id. */
const pages = [
  'dashboard',
  'search',
  'help',
  'secrets/(?!delete):id(?:/destroy)?',
  'drafts(?:/:id(?:/(?:delete|edit))?)?',
  'requests(?:/:id)?',
  'folders/:id(?:/delete)?',
  'settings(?:/(?:tokens|sessions|sign-in|password|notifications|download|delete))?',
  'settings/(?:sign-in/passkeys|notifications/webhooks)/:id/delete',
  'settings/tokens/:id/revoke',
]

// eslint-disable-next-line sotto/linear-patterns -- segments are divided by slashes, which none of them has, and each is bounded
const pagePath = new RegExp(
  `^/(?:${pages.join('|').replaceAll(':id', '[\\w-]{1,64}')})(?:\\?[\\w=&.%-]{0,512})?$`,
)

/** The page to show after signing in, when there is nothing else to show. */
export const homePath = '/dashboard'

/** The path to go to after signing in: `next` if it is that of an owner's page, else {@link homePath}. Never another origin's. */
export function nextPath(next: string | undefined): string {
  return next !== undefined && pagePath.test(next) ? next : homePath
}

/** The page that shows what is at `path`: a form that was refused is shown where it was posted to, which only its page leads to. */
export function pageAround({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  if (pagePath.test(pathname + search)) return pathname + search
  const above = pathname.slice(0, pathname.lastIndexOf('/'))
  return above === '' ? homePath : pageAround({ pathname: above, search: '' })
}

/** The login page that leads back to `path`. */
export function loginPath(path: string): string {
  const url = URL.parse(path, 'http://localhost')
  const next = url === null ? homePath : pageAround(url)
  return next === homePath ? '/login' : withParameter('/login', 'next', next)
}

/** A URL with one more parameter. */
export function withParameter(url: string, name: string, value: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
}

/** A path for somebody without a session, with the language that was chosen on the page before. */
export function keepingLanguage(
  { language, isChosen }: Pick<LocalizedDashboard, 'language' | 'isChosen'>,
  path: string,
): string {
  return isChosen === true ? withParameter(path, 'lang', language) : path
}
