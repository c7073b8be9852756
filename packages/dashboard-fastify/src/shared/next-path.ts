import type { LocalizedDashboard } from './localized.ts'

const pagePath =
  /^\/(?:dashboard|search|help|settings(?:\/[a-z-]+)?|secrets\/[\w-]{1,64}|drafts\/[\w-]{1,64}|folders\/[\w-]{1,64})(?:\?[\w=&.%-]{0,512})?$/

/** The page to show after signing in, when there is nothing else to show. */
export const homePath = '/dashboard'

/** The path to go to after signing in: `next` if it is that of an owner's page, else {@link homePath}. Never another origin's. */
export function nextPath(next: string | undefined): string {
  return next !== undefined && pagePath.test(next) ? next : homePath
}

/** The login page that leads back to `path`. */
export function loginPath(path: string): string {
  const next = nextPath(path)
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
