import type { Sotto } from '@sotto/core'
import { Hono } from 'hono'
import { folderOf } from './folder.ts'

/** Two routes on the core: one creates a secret for a user, the other opens a link. HTTP is decided here, the rules in the core. */
export function createApp(
  sotto: Pick<Sotto, 'ensureAccount' | 'ensureFolder' | 'createSecret' | 'openSecret'>,
  /** Finds out which of your users sends a request. */
  userOf: (request: Request) => string | undefined,
) {
  const app = new Hono()

  app.post('/secrets', async (c) => {
    const user = userOf(c.req.raw)
    if (user === undefined) return c.json({ error: 'unauthenticated' }, 401)
    const body = (await c.req.json().catch(() => ({}))) as Partial<Record<string, unknown>>
    const { label, note, password } = body
    if (typeof label !== 'string' || typeof note !== 'string') return c.json({ error: 'fields' }, 400)
    const created = await folderOf(sotto, user).andThen((place) =>
      sotto.createSecret({
        ...{ ...place, label, note, openLimit: 1 },
        password: typeof password === 'string' ? password : undefined,
      }),
    )
    return created.match(
      ({ link }) => c.json({ token: link.token }, 201),
      ({ code }) => c.json({ error: code }, code === 'fields_invalid' ? 400 : 503),
    )
  })

  // POST, because looking at a link must cost nothing: previews and scanners send GET.
  app.post('/open', async (c) => {
    const { token, password } = (await c.req.json().catch(() => ({}))) as Partial<Record<string, unknown>>
    const opened = await sotto.openSecret({
      token: String(token),
      password: typeof password === 'string' ? password : undefined,
    })
    c.header('Cache-Control', 'no-store')
    return opened.match(
      ({ label, note }) => c.json({ label, note }),
      ({ code }) => c.json({ error: code }, statuses[code] ?? 503),
    )
  })

  return app
}

/** What a recipient can do about it. Everything else is the operator's task. */
const statuses: Partial<Record<string, 403 | 404>> = {
  link_not_found: 404,
  password_required: 403,
  password_wrong: 403,
  link_locked: 403,
}
