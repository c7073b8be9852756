import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'

/** What the provider knows about a person. */
export interface Person {
  readonly email?: string
  readonly email_verified?: boolean
  readonly groups?: readonly string[]
}

/** `oidc-provider` on loopback. Whoever is sent there is signed in as the person that it was told. */
export interface RealProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly people: Map<string, Person>
  /** A browser at the provider, which knows it again by its cookies. */
  browser(): ProviderBrowser
  /** The session in which the person has signed in last, as ID tokens name it. */
  sessionOf(person: string): string
  /** Sends a logout token to the address of the client. */
  logOut(subject: string, sessionId: string): Promise<void>
  /** Stops taking connections, and takes them again. */
  setReachable(isReachable: boolean): Promise<void>
}

export interface ProviderBrowser {
  /** Goes where this service has sent it, signs in as the person unless the provider knows the browser, and returns where it is sent back to. */
  signIn(url: string, person: string): Promise<string>
}

export interface RealProviderOptions {
  readonly redirectUri: string
  /** Where it sends logout tokens. */
  readonly logoutUri?: string
  /** Whether it answers userinfo with a signed token. */
  readonly signsUserinfo?: boolean
}

const clientId = 'sotto'
const clientSecret = 'a secret of the client and the provider'

export async function startRealProvider({
  redirectUri,
  logoutUri = redirectUri,
  signsUserinfo = false,
}: RealProviderOptions): Promise<RealProvider> {
  const people = new Map<string, Person>()
  const server = createServer()
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${String(port)}`
  const provider = new Provider(issuer, configuration(people, { redirectUri, logoutUri, signsUserinfo }))
  const sessions = new Map<string, string>()
  provider.on('authorization.success', ({ oidc: { session } }) => {
    sessions.set(session?.accountId ?? '', session?.sidFor(clientId) ?? '')
  })
  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(provider, request, response)
    else void callback(request, response)
  })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    browser: () => browser(issuer, redirectUri),
    sessionOf: (person) => sessions.get(person) ?? '',
    async logOut(subject, sessionId) {
      const client = (await provider.Client.find(clientId)) as unknown as {
        backchannelLogout(subject: string, sessionId: string): Promise<void>
      }
      await client.backchannelLogout(subject, sessionId)
    },
    async setReachable(isReachable) {
      if (isReachable !== server.listening) await (isReachable ? listen(port) : stop())
    },
  }
}

function configuration(
  people: ReadonlyMap<string, Person>,
  { redirectUri, logoutUri, signsUserinfo }: Required<RealProviderOptions>,
): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
        ...(signsUserinfo && { userinfo_signed_response_alg: 'ES256' }),
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: ['a key for the cookies of a test'] },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      jwtUserinfo: { enabled: true },
    },
    // Its own would not send a logout token to a loopback address.
    fetch: (url, { method, headers, body, signal } = {}) =>
      fetch(url, { method, headers, body, signal } as RequestInit),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    ttl: { Session: 3_600, Interaction: 600, Grant: 3_600 },
  }
}

/** Signs in whom the header names, and agrees to everything. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    const accountId = String(request.headers['x-person'])
    await provider.interactionFinished(request, response, { login: { accountId } })
    return
  }
  const { accountId = '' } = session ?? {}
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant = known ?? new provider.Grant({ accountId, clientId: String(params['client_id']) })
  grant.addOIDCScope(String(params['scope']))
  grant.addOIDCClaims(['groups'])
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

function browser(issuer: string, redirectUri: string): ProviderBrowser {
  const cookies = new Map<string, string>()
  return {
    async signIn(start, person) {
      let url = start
      for (let hop = 0; hop < 10 && !url.startsWith(redirectUri); hop += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(url, { redirect: 'manual', headers: { cookie, 'x-person': person } })
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`${String(answer.status)} ${await answer.text()}`)
        url = new URL(location, issuer).href
      }
      return url
    },
  }
}
