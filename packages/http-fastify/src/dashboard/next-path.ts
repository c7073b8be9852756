const pagePath =
  /^\/(?:dashboard|settings(?:\/[a-z]+)?|secrets\/[\w-]{1,64}|drafts\/[\w-]{1,64}|folders\/[\w-]{1,64})(?:\?[\w=&.%-]{0,512})?$/

/** The page to show after signing in, when there is nothing else to show. */
export const homePath = '/dashboard'

/** The path to go to after signing in: `next` if it is that of an owner's page, else {@link homePath}. Never another origin's. */
export function nextPath(next: string | undefined): string {
  return next !== undefined && pagePath.test(next) ? next : homePath
}

/** The login page that leads back to `path`. */
export function loginPath(path: string): string {
  const next = nextPath(path)
  return next === homePath ? '/login' : `/login?next=${encodeURIComponent(next)}`
}
