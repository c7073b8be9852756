import { createHash, createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { tlsFiles } from './tls.ts'

type Values = Record<string, unknown>

/** What the provider answers at one of its endpoints. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Endpoint = 'discovery' | 'keys' | 'token' | 'userinfo'

/** What it does other than an honest one. Each function gets the honest value. */
export interface Lies {
  /** The claims of the ID token. */
  readonly claims?: (honest: Values) => Values
  readonly header?: (honest: Values) => Values
  /** The whole token, of its header and claims. */
  readonly signed?: (header: Values, claims: Values) => string
  readonly metadata?: (honest: Values) => Values
  /** The query with which the browser comes back. */
  readonly query?: (honest: Record<string, string>) => Record<string, string | undefined>
  /** What an endpoint answers; `never` leaves the caller waiting, `cut` ends the connection in the middle. */
  readonly answers?: Partial<Record<Endpoint, (honest: Answer) => Answer | 'never' | 'cut'>>
  readonly userinfo?: Values
  /** It answers userinfo as a token: with the provider's signature, or as the function makes it. */
  readonly signedUserinfo?: true | ((header: Values, claims: Values) => string)
  /** It neither compares PKCE verifiers nor lets a code count only once. */
  readonly isCareless?: boolean
}

export interface LyingProvider {
  readonly issuer: string
  lies: Lies
  /** How far its clock is ahead, in seconds. */
  clockSeconds: number
  /** The endpoints that were asked, in their order. */
  readonly asked: readonly Endpoint[]
  /** Signs the person in at the URL of `begin`, and returns where the browser goes. */
  signIn(url: string): string
  /** From now on it signs with another key, under another name. */
  rotate(): void
  logoutToken(change?: (claims: Values) => Values, header?: (header: Values) => Values): string
  /** A token that the provider's key has signed. */
  sign(header: Values, claims: Values): string
  /** Stops taking connections, and takes them again at the same port. */
  setReachable(isReachable: boolean): Promise<void>
}

export const clientId = 'sotto'
export const clientSecret = 'a secret: of the client'
export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

interface Code {
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

/** A provider on loopback that is honest until a test makes it lie. */
export async function startLyingProvider(
  nowMicros: () => number,
  { isTls = false }: { readonly isTls?: boolean } = {},
): Promise<LyingProvider> {
  const codes = new Map<string, Code>()
  const asked: Endpoint[] = []
  let key = newKey()
  const listener: RequestListener = (request, response) => void respond(request, response)
  const server = isTls ? createTlsServer(tlsFiles, listener) : createServer(listener)
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `${isTls ? 'https' : 'http'}://127.0.0.1:${String(port)}`
  const now = (): number => Math.floor(nowMicros() / 1e6) + provider.clockSeconds
  const signed = (header: Values, claims: Values): string => signToken(key.privateKey, header, claims)

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = endpoints[request.url ?? '']
    if (endpoint === undefined) return void response.writeHead(404).end()
    asked.push(endpoint)
    const honest = await honestly[endpoint](request)
    const answer = provider.lies.answers?.[endpoint]?.(honest) ?? honest
    if (answer === 'never') return
    if (answer === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"iss')
      setImmediate(() => response.destroy())
      return
    }
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      .end(answer.body)
  }

  const honestly: Readonly<Record<Endpoint, (request: IncomingMessage) => Answer | Promise<Answer>>> = {
    discovery() {
      const honest = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
      }
      return json(provider.lies.metadata?.(honest) ?? honest)
    },
    keys: () => json({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig' }] }),
    async token(request) {
      const form = new URLSearchParams(await text(request))
      const [name, code] = [form.get('code') ?? '', codes.get(form.get('code') ?? '')]
      if (provider.lies.isCareless !== true) codes.delete(name)
      if (request.headers.authorization !== basic) return json({ error: 'invalid_client' }, 401)
      const isProven =
        provider.lies.isCareless === true || code?.challenge === challengeOf(form.get('code_verifier') ?? '')
      if (code?.redirectUri !== form.get('redirect_uri') || !isProven)
        return json({ error: 'invalid_grant' }, 400)
      const header = provider.lies.header?.(headerNow()) ?? headerNow()
      const claims = provider.lies.claims?.(claimsNow(code)) ?? claimsNow(code)
      const idToken = (provider.lies.signed ?? signed)(header, claims)
      return json({
        access_token: 'an-access-token',
        token_type: 'Bearer',
        expires_in: 60,
        id_token: idToken,
      })
    },
    userinfo() {
      const { userinfo = { sub: 'ada' }, signedUserinfo } = provider.lies
      if (signedUserinfo === undefined) return json(userinfo)
      const body = (signedUserinfo === true ? signed : signedUserinfo)(headerNow(), userinfo)
      return { status: 200, body, headers: { 'content-type': 'application/jwt; charset=utf-8' } }
    },
  }

  const headerNow = (): Values => ({ alg: 'ES256', kid: key.kid })
  const claimsNow = ({ nonce }: Code): Values => ({
    iss: issuer,
    aud: clientId,
    sub: 'ada',
    sid: 'a-session',
    iat: now(),
    exp: now() + 600,
    auth_time: now(),
    nonce,
    email: 'ada@example.org',
    email_verified: true,
    groups: ['staff', 'admins'],
  })

  const provider: LyingProvider = {
    issuer,
    lies: {},
    clockSeconds: 0,
    asked,
    signIn(url) {
      const asks = new URL(url).searchParams
      const [code, redirectUri] = [randomUUID(), asks.get('redirect_uri') ?? '']
      codes.set(code, {
        nonce: asks.get('nonce') ?? '',
        challenge: asks.get('code_challenge') ?? '',
        redirectUri,
      })
      const honest = { code, state: asks.get('state') ?? '', iss: issuer }
      return withQuery(redirectUri, provider.lies.query?.(honest) ?? honest)
    },
    rotate() {
      key = newKey()
    },
    logoutToken(change = (claims) => claims, header = (honest) => honest) {
      const claims = { iss: issuer, aud: clientId, iat: now(), exp: now() + 120, jti: randomUUID() }
      const about = { sub: 'ada', sid: 'a-session', events: { [logoutEvent]: {} } }
      return signed(header({ ...headerNow(), typ: 'logout+jwt' }), change({ ...claims, ...about }))
    },
    sign: signed,
    async setReachable(isReachable) {
      if (isReachable === server.listening) return
      if (isReachable) return listen(port)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/keys': 'keys',
  '/token': 'token',
  '/userinfo': 'userinfo',
}

/** RFC 6749, section 2.3.1: both are encoded as forms are. */
const basic = `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`

function encoded(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2)
}

function newKey() {
  return { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), kid: randomUUID() }
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function json(value: unknown, status = 200): Answer {
  return { status, body: JSON.stringify(value) }
}

function withQuery(url: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `${url}?${new URLSearchParams(given).toString()}`
}

function signToken(key: KeyObject, header: Values, claims: Values): string {
  const input = tokenInput(header, claims)
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** A token without a signature. */
export function unsigned(header: Values, claims: Values): string {
  return `${tokenInput({ ...header, alg: 'none' }, claims)}.`
}

/** A token that whoever knows the secret can sign. */
export function signedBySecret(secret: string) {
  return (header: Values, claims: Values): string => {
    const input = tokenInput({ ...header, alg: 'HS256' }, claims)
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }
}

function tokenInput(header: Values, claims: Values): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}
