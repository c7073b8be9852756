import { allScopes, type Sotto } from '@sotto/core'
import { apiRoutes, linkRoutes, sottoServerOptions, type Authenticate } from '@sotto/http-fastify'
import Fastify from 'fastify'
import { errAsync, okAsync } from 'neverthrow'

export interface AppOptions {
  readonly sotto: Sotto
  /** Where the application and its links are reached, such as `https://intranet.example.org`. */
  readonly origin: string
  /** Your sessions: from the value of the header `X-Session` to the user. */
  readonly sessions: ReadonlyMap<string, string>
  /** Your log. */
  readonly log: { write(line: string): void }
}

/** An application with users, a log and paths of its own. Sotto's API is one part of it, below `/tools/secrets`. */
export async function createApp({ sotto, origin, sessions, log }: AppOptions) {
  const app = Fastify(sottoServerOptions({ sotto, baseUrl: origin, log: { level: 'info', stream: log } }))
  // The pattern of the route and not the URL, because the path of a link is its token.
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode }) => {
    app.log.info({ method, route: routeOptions.url, statusCode }, 'answered')
  })
  app.get('/tools/hello', () => 'A route of the application.')

  const authenticate: Authenticate = ({ headers: { 'x-session': session } }) => {
    if (session === undefined) return okAsync(undefined)
    const user = typeof session === 'string' ? sessions.get(session) : undefined
    if (user === undefined) return errAsync({ code: 'token_invalid' })
    return sotto.ensureAccount({ externalId: user }).map(({ id, disabledAtMicros }) => {
      if (disabledAtMicros !== undefined) return undefined
      return { accountId: id, via: { kind: 'host' as const }, scopes: allScopes }
    })
  }
  const origins = { baseUrl: origin, linkBaseUrl: origin }
  await app.register(apiRoutes, { prefix: '/tools/secrets', sotto, ...origins, authenticate })
  await app.register(linkRoutes, { sotto, ...origins })
  return app
}
