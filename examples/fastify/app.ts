import { allScopes } from '@sotto/core'
import { dashboardRoutes } from '@sotto/dashboard-fastify'
import { apiRoutes, linkRoutes, sottoServerOptions, type Authenticate } from '@sotto/http-fastify'
import type { FullSotto } from '@sotto/identity'
import Fastify from 'fastify'
import { errAsync, okAsync } from 'neverthrow'

export interface AppOptions {
  readonly sotto: FullSotto
  /** Where the application and its links are reached, such as `https://intranet.example.org`. */
  readonly origin: string
  /** Your sessions: from the value of the cookie `session` to the user. */
  readonly sessions: ReadonlyMap<string, string>
  /** Your log. */
  readonly log: { write(line: string): void }
}

/**
 * An application with users, a log and paths of its own. Sotto's API is one part of it, below `/tools/secrets`; its pages, which begin at
 * `/dashboard`, are another.
 */
export async function createApp({ sotto, origin, sessions, log }: AppOptions) {
  const app = Fastify(sottoServerOptions({ sotto, baseUrl: origin, log: { level: 'info', stream: log } }))
  // The pattern of the route and not the URL, because the path of a link is its token.
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode }) => {
    app.log.info({ method, route: routeOptions.url, statusCode }, 'answered')
  })
  app.get('/tools/hello', () => 'A route of the application.')
  app.get('/sign-in', () => 'Sign in here. Then go back to the path in `next`.')

  const authenticate: Authenticate = ({ headers: { cookie = '' } }) => {
    const [, session] = /(?:^|; )session=([^;]*)/.exec(cookie) ?? []
    if (session === undefined) return okAsync(undefined)
    const user = sessions.get(session)
    if (user === undefined) return errAsync({ code: 'token_invalid' })
    return sotto.ensureAccount({ externalId: user }).map(({ id, disabledAtMicros }) => {
      if (disabledAtMicros !== undefined) return undefined
      return { accountId: id, via: { kind: 'host' as const }, scopes: allScopes }
    })
  }
  const origins = { baseUrl: origin, linkBaseUrl: origin }
  await app.register(apiRoutes, { prefix: '/tools/secrets', sotto, ...origins, authenticate })
  await app.register(dashboardRoutes, { sotto, ...origins, authenticate, signInUrl: '/sign-in' })
  await app.register(linkRoutes, { sotto, ...origins })
  return app
}
