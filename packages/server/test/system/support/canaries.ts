import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { pageRequests, type Request } from './page-requests.ts'
import type { Needles } from './search.ts'

/** Confidential texts, each of them unique, to search for. */
export interface Canaries {
  readonly email: string
  readonly tokenName: string
  readonly folderLabel: string
  readonly label: string
  readonly note: string
  readonly password: string
  /** 32 bytes, as many as a hash has. */
  readonly accountPassword: string
  readonly wrongPassword: string
  /** From which somebody signs in. */
  readonly address: string
  readonly fileName: string
  /** A part of the content of a file. */
  readonly fileContent: string
}

export function createCanaries(): Canaries {
  const text = (name: string): string => `${name}-${randomBytes(12).toString('hex')}`
  return {
    email: `${text('email')}@example.org`,
    tokenName: text('token-name'),
    folderLabel: text('folder-label'),
    label: text('label'),
    note: text('note'),
    password: text('password'),
    accountPassword: text('account'),
    wrongPassword: text('wrong-password'),
    fileName: `${text('file-name')}.pdf`,
    fileContent: text('file-content'),
    address: `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::/64`,
  }
}

export interface Tokens {
  readonly access: readonly string[]
  readonly link: readonly string[]
  /** Of sessions, of one-time links, and tickets. */
  readonly opaque?: readonly string[]
  /** The keys of files. */
  readonly fileKeys?: readonly string[]
}

/** What to search for: canaries as text, tokens as text and as the random bytes that they are made of. */
export function needlesOf(
  canaries: Partial<Canaries>,
  { access, link, opaque = [], fileKeys = [] }: Tokens,
): Needles {
  const texts = Object.entries(canaries).map(([name, text]) => [name, Buffer.from(text)] as const)
  const accessTokens = access.flatMap((token, at) => [
    [`access token ${at}`, Buffer.from(token)] as const,
    [`access token ${at}, a part`, Buffer.from(token.slice(6, 38))] as const,
  ])
  const encoded = (name: string, tokens: readonly string[]) =>
    tokens.flatMap((token, at) => [
      [`${name} ${at}`, Buffer.from(token)] as const,
      [`${name} ${at}, raw`, Buffer.from(token, 'base64url')] as const,
    ])
  return Object.fromEntries([
    ...texts,
    ...accessTokens,
    ...encoded('link token', link),
    ...encoded('opaque token', opaque),
    ...encoded('file key', fileKeys),
  ])
}

/** Where requests are sent, and what they contain. */
export interface Targets {
  readonly port: number
  readonly canaries: Canaries
  readonly accessToken: string
  readonly revokedToken: string
  readonly folderId: string
  readonly secretId: string
  readonly linkToken: string
  readonly sessionToken: string
  readonly invitationToken: string
  readonly ticket: string
}

/** Sends canaries in every part of every kind of request, most of them invalid. Returns how many answers of each status there were. */
export async function sendEverywhere(targets: Targets): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>()
  const count = (status: number): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const pages = pageRequests({ ...targets.canaries, ...targets, linkPassword: targets.canaries.password })
  for (const [path, init] of [...apiRequests(targets), ...linkRequests(targets), ...pages]) {
    const response = await fetch(`http://127.0.0.1:${targets.port}${path}`, { redirect: 'manual', ...init })
    count(response.status)
    await response.arrayBuffer()
  }
  for (const bytes of rawRequests(targets)) {
    const answer = await sendRaw(targets.port, bytes)
    count(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0))
  }
  return statuses
}

function apiRequests({
  canaries,
  accessToken,
  revokedToken,
  folderId,
  secretId,
}: Targets): readonly Request[] {
  const { label, note, password, folderLabel } = canaries
  const authorization = `Bearer ${accessToken}`
  const json = { authorization, 'content-type': 'application/json' }
  const body = { label, note, password, folder_id: folderId, open_limit: 3 }
  const post = (value: unknown, headers: Record<string, string> = json): Request => [
    '/api/secret',
    { method: 'POST', headers, body: typeof value === 'string' ? value : JSON.stringify(value) },
  ]
  const get = (
    path: string,
    headers: Record<string, string> = { authorization },
    method = 'GET',
  ): Request => [path, { method, headers }]
  return [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].flatMap((method) =>
      ['/api/folders', '/api/secrets', `/api/secret/${secretId}`, `/api/${label}`].map((path) =>
        get(path, { authorization }, method),
      ),
    ),
    ...[
      note,
      `${secretId}${password}`,
      encodeURIComponent(`${label}/..`),
      `%2e%2e%2f${password}`,
      note.repeat(60),
    ].map((id) => get(`/api/secret/${id}`)),
    get(`/api/secrets?access_token=${accessToken}&label=${label}`),
    ...[
      `Bearer ${revokedToken}`,
      `Bearer ${password}`,
      `Basic ${btoa(password)}`,
      accessToken,
      `Bearer ${accessToken} ${note}`,
    ].map((value) => get('/api/secrets', { authorization: value })),
    post(body),
    post({ ...body, label: `${label}\u0000` }),
    post({ ...body, label: note.repeat(20), open_limit: password, notify: note }),
    post({ ...body, [password]: note }),
    post({ ...body, folder_id: folderLabel }),
    post({ ...body, note: { note }, password: [password] }),
    post(`{"note":"${note}","password":"${password}"`),
    post(`{"note":"${note}","note":"${password}"}`),
    post(`\ufeff${JSON.stringify(body)}`),
    post(note),
    post(JSON.stringify({ ...body, note: note.repeat(20_000) })),
    post(body, { authorization, 'content-type': `text/${password}` }),
    post(body, { ...json, 'content-encoding': password }),
    post(body, { ...json, 'x-canary': password, cookie: `session=${password}`, 'user-agent': note }),
    post(body, { 'content-type': 'application/json' }),
    ...formsWithFile(canaries, { ...body, password: undefined }).map((form): Request => [
      '/api/secret',
      { method: 'POST', headers: { authorization }, body: form },
    ]),
  ]
}

/** A secret with a file, and forms that are none. */
function formsWithFile({ fileName, fileContent, note }: Canaries, secret: object): readonly FormData[] {
  const names = [fileName, `${fileName}/..`, note.repeat(20)]
  return names.map((name, at) => {
    const form = new FormData()
    form.append(at === 2 ? note : 'secret', JSON.stringify(secret))
    form.append('file', new Blob([fileContent], { type: note }), name)
    return form
  })
}

function linkRequests({ canaries, linkToken, ticket }: Targets): readonly Request[] {
  const { label, password, note } = canaries
  const path = `/${linkToken}`
  const open = (body: string, type: string, more: Record<string, string> = {}): Request => [
    path,
    { method: 'POST', headers: { 'content-type': type, accept: 'application/json', ...more }, body },
  ]
  return [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].flatMap((method): readonly Request[] =>
      [path, `/f/${ticket}/1`].map((each) => [each, { method }]),
    ),
    [`/f/${ticket}/1`, { headers: { range: `bytes=1-${password}` } }],
    ...[
      ...[`/f/${ticket}/${password}`, `/f/${ticket}`, `/f/${ticket}/1?${password}`],
      `${path}?password=${password}`,
      `${path}/`,
      `${path}/x`,
      `/x${path}`,
      `${path}A`,
      `/${note}`,
      `/${label}?${password}`,
    ].map((each): Request => [each, {}]),
    [path, { method: 'POST' }],
    open(JSON.stringify({ password: `${password}?` }), 'application/json'),
    open(JSON.stringify({ password: note }), 'application/json', { accept: 'text/html' }),
    open(`password=${password}&form_id=${'0'.repeat(32)}`, 'application/x-www-form-urlencoded', {
      'sec-fetch-site': 'cross-site',
    }),
    open(`password=${password}&form_id=${note}`, 'application/x-www-form-urlencoded'),
    open(JSON.stringify({ password, [note]: label }), 'application/json'),
    open(`{"password":"${password}"`, 'application/json'),
    open(password.repeat(1_000), 'application/json'),
    open(password, 'text/plain'),
    open(JSON.stringify({ password }), 'application/json', { origin: `https://${note}.example` }),
    open(JSON.stringify({ password }), 'application/json'),
  ]
}

/** Requests that no correct client sends. */
function rawRequests({ canaries, accessToken, linkToken }: Targets): readonly string[] {
  const { password, note } = canaries
  const bearer = `Authorization: Bearer ${accessToken}\r\n`
  return [
    `GET /${linkToken} HTTP/1.1\r\n${bearer}\r\n`,
    `GET /${linkToken} HTTP/1.1\r\nHost: ${password}@:::\r\n${bearer}Connection: close\r\n\r\n`,
    `GET /%zz${linkToken} HTTP/1.1\r\nHost: localhost\r\n${bearer}Connection: close\r\n\r\n`,
    `GET /${linkToken} HTTP/9.9\r\nHost: localhost\r\n\r\n`,
    `${password} /${linkToken} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `CONNECT ${linkToken}:443 HTTP/1.1\r\nHost: ${linkToken}\r\n${bearer}\r\n`,
    `GET /${linkToken} HTTP/1.1\r\nHost: localhost\r\n${bearer}Expect: ${password}\r\nConnection: close\r\n\r\n`,
    `GET /${linkToken} HTTP/1.1\r\nHost: localhost\r\nX-${note}: ${'x'.repeat(20_000)}\r\n\r\n`,
    `GET /${linkToken}${'x'.repeat(3_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    `POST /api/secret HTTP/1.1\r\nHost: localhost\r\n${bearer}Transfer-Encoding: ${password}\r\n\r\n`,
    `POST /${linkToken} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${password}\r\n\r\n`,
    `POST /${linkToken} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n${note}`,
    `${note}\r\n\r\n`,
  ]
}

/** Sends bytes; resolves with what was received until the connection is closed. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
    socket.setTimeout(2_000, () => socket.destroy())
  })
}
