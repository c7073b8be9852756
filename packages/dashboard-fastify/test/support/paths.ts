import { createFakePasskey, expectOk } from '@sotto/test-kit'
import { newFiles } from '../../../http-fastify/test/support/links.ts'
import { origin, password, type Dashboard, type Fields, type Owner } from './app.ts'

/** One path of the owner's pages, with ids of things that there are. */
export interface Path {
  /** As it was registered. */
  readonly url: string
  readonly path: string
  /** GET, HEAD and POST, as the application says in `Allow`. */
  readonly methods: readonly string[]
  readonly isOwners: boolean
}

/** The paths that everybody may use. All others are those of somebody who is signed in. */
const everybodys = new Set([
  ...['/', '/login', '/login/passkey', '/login/reset', '/logout'],
  ...['/welcome/:token', '/confirm/:token'],
])

/** One of each thing that a path can name. */
export interface Things {
  readonly folder: string
  readonly emptyFolder: string
  readonly secret: string
  readonly draft: string
  readonly request: string
  readonly accessToken: string
  readonly session: string
  readonly webhook: string
  readonly passkey: string
  /** What a form has of that passkey, and of another one that was made. */
  readonly used: string
  readonly made: string
  readonly invitation: string
  readonly confirm: string
}

/** An address that the sender of the tests accepts. */
export const webhookUrl = 'https://example.org/hook'

export async function makeThings({ sotto, ...world }: Dashboard, owner: Owner): Promise<Things> {
  const { accountId, email } = owner
  const folder = await world.makeFolder(accountId)
  const emptyFolder = await world.makeFolder(accountId, 'Empty')
  const { id: accessToken } = expectOk(await sotto.createAccessToken({ accountId, name: 'program' }))
  return {
    folder,
    emptyFolder,
    secret: (await world.makeSecret(accountId, folder)).id,
    draft: await draftOf(sotto, accountId, folder),
    request: expectOk(await sotto.createRequest({ accountId, folderId: folder, title: 'Request' })).id,
    accessToken,
    session: owner.sessionId,
    webhook: await webhookOf(sotto, accountId),
    ...(await passkeysOf(sotto, owner)),
    invitation: expectOk(await sotto.resetAccount({ email })).token,
    confirm: await confirmTokenOf(sotto, accountId),
  }
}

/** What files may take where each path leads to something. */
export const someFiles = { maxBytes: 1_000, accountMaxBytes: 1_000_000 }

/** A draft, with a file where the dashboard takes some. */
async function draftOf(sotto: Dashboard['sotto'], accountId: string, folderId: string): Promise<string> {
  const files = newFiles({ 'a.txt': Buffer.from('a') })
  const upload =
    sotto.policy.files === undefined ? undefined : expectOk(await sotto.uploadFiles({ accountId, files }))
  return expectOk(await sotto.saveDraft({ accountId, folderId, label: 'Draft', note: 'note', upload })).id
}

/** How many changes of an address were asked for: one address gets few mails. */
let asked = 0

/** The token of the link that confirms a new email address. */
export async function confirmTokenOf(
  sotto: Dashboard['sotto'],
  accountId: Owner['accountId'],
  email = `confirmed-${String((asked += 1))}@example.org`,
): Promise<string> {
  const tokens: string[] = []
  const urlOf = (token: string): string => `https://example.org/confirm/${String(tokens.push(token))}`
  expectOk(await sotto.requestEmailChange({ accountId, email, urlOf }))
  return tokens.join('')
}

/** The owner's first webhook: an account has few. */
async function webhookOf(sotto: Dashboard['sotto'], accountId: Owner['accountId']): Promise<string> {
  const [first] = expectOk(await sotto.listWebhooks({ accountId })).items
  return (first ?? expectOk(await sotto.createWebhook({ accountId, url: webhookUrl }))).id
}

let passkeys = 0

/** A passkey of the owner, which can sign in now, and another one that can be added now. */
export async function passkeysOf(
  sotto: Dashboard['sotto'],
  { accountId, sessionId }: Owner,
): Promise<Pick<Things, 'passkey' | 'used' | 'made'>> {
  const session = { accountId, sessionId }
  const make = async () => {
    const passkey = createFakePasskey(String((passkeys += 1)))
    const { challenge } = expectOk(await sotto.beginPasskey(session))
    return { passkey, made: passkey.made({ rpId: 'localhost', origin, challenge }) }
  }
  const { passkey, made } = await make()
  const relyingParty = { id: 'localhost', origin }
  const { id } = expectOk(await sotto.addPasskey({ ...session, name: 'Phone', made, relyingParty }))
  const challenge = expectOk(await sotto.beginPasskeySignIn())
  const userHandle = Buffer.from(accountId).toString('base64url')
  const used = passkey.used({ rpId: 'localhost', origin, challenge, userHandle })
  const other = (await make()).made
  return {
    passkey: id,
    used: `${used.credentialId}.${used.clientData}.${used.authenticatorData}.${used.signature}.${userHandle}`,
    made: `${other.credentialId}.${other.clientData}.${other.authenticatorData}`,
  }
}

/** The path of a registered URL, with the id of one of the things. */
export function pathOf(url: string, things: Things): string {
  const [, first, second] = url.split('/')
  const kinds: Fields = {
    secrets: things.secret,
    drafts: things.draft,
    requests: things.request,
    folders: url.endsWith('/delete') ? things.emptyFolder : things.folder,
    'settings/tokens': things.accessToken,
    'settings/sessions': things.session,
    'settings/notifications': things.webhook,
    'settings/sign-in': things.passkey,
    welcome: things.invitation,
    confirm: things.confirm,
  }
  const id = kinds[first ?? ''] ?? kinds[`${first ?? ''}/${second ?? ''}`]
  if (url.includes(':') && id === undefined) throw new Error(`say which thing ${url} names`)
  return withId(url, id ?? '')
}

/** The path of a registered URL with this id. A file is the first one. */
export function withId(url: string, id: string): string {
  return url.replace(':number', '1').replace(/:\w+/, id)
}

/** Every path of the plugin: a new one is there by itself. */
export async function pathsOf(dashboard: Dashboard, things: Things): Promise<readonly Path[]> {
  const paths: Path[] = []
  for (const url of dashboard.urls) {
    const path = pathOf(url, things)
    const { headers } = await dashboard.request('OPTIONS', path)
    const methods = String(headers.allow).split(', ')
    paths.push({ url, path, methods, isOwners: !everybodys.has(url) })
  }
  return paths
}

/** Fields with which a path changes something. */
export function formFor(url: string, things: Things, owner: Owner): Fields {
  const form = formsFor(things, owner)[url]
  if (form === undefined) throw new Error(`say which form ${url} takes`)
  return form
}

/** For each path with a form. A new path needs an entry here. */
export function formsFor(
  { folder, secret: id, draft, used, made }: Things,
  { email }: Pick<Owner, 'email'>,
): Readonly<Record<string, Fields>> {
  const secret = { folder, label: 'Label', note: 'text', opens: '3', expires: '3600', password: '' }
  return {
    '/login': { email, password },
    '/login/passkey': { passkey: used },
    '/login/reset': { email },
    '/logout': {},
    '/welcome/:token': { password: 'another fine passphrase' },
    '/confirm/:token': {},
    '/secrets/new': { ...secret, action: 'create' },
    '/secrets/:id/unlock': {},
    '/secrets/:id/destroy': {},
    '/secrets/delete': { [id]: 'on', [`draft-${draft}`]: 'on', action: 'delete' },
    '/secrets/finished': {},
    '/search': { words: 'Secret' },
    '/drafts/:id': { ...secret, content: 'on', action: 'save' },
    '/drafts/:id/note': { password: '' },
    '/drafts/:id/delete': {},
    '/requests/new': { folder, name: 'Ada', title: 'Title', text: 'text', answers: '1', expires: '86400' },
    '/requests/:id/close': {},
    '/folders': { label: 'Another' },
    '/folders/:id': { label: 'Renamed' },
    '/folders/:id/delete': {},
    '/settings/email': { email: 'new@example.org' },
    '/settings/password': { password: 'another fine passphrase' },
    '/settings/name': { name: 'Ann Reed' },
    '/settings/language': { language: 'de' },
    '/settings/tokens': { name: 'Another', read: 'on', expires: '30' },
    '/settings/tokens/:id/revoke': {},
    '/settings/sign-in/passkeys': { name: 'Key', made },
    '/settings/sign-in/passkeys/:id/delete': {},
    '/settings/sessions/:id/name': { name: 'Laptop' },
    '/settings/sessions/:id/end': {},
    '/settings/notifications/mails': { labels: 'on' },
    '/settings/notifications/mails/test': {},
    '/settings/notifications/webhooks': { url: webhookUrl },
    '/settings/notifications/webhooks/:id/test': {},
    '/settings/notifications/webhooks/:id/delete': {},
    '/settings/download': {},
    '/settings/delete': {},
  }
}
