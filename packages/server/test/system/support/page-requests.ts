/** A request, as `fetch` takes it, on a server whose address is known elsewhere. */
export type Request = readonly [path: string, init: RequestInit]

/** The confidential texts that are sent to the owner's pages. */
export interface PageTexts {
  readonly email: string
  readonly label: string
  readonly note: string
  readonly linkPassword: string
  readonly accountPassword: string
  readonly wrongPassword: string
  readonly folderId: string
  readonly secretId: string
  /** Of somebody who is signed in. */
  readonly sessionToken: string
  /** Of a one-time link. */
  readonly invitationToken: string
}

/** Requests for the owner's pages with confidential text in every part, most of them invalid. */
export function pageRequests(texts: PageTexts): readonly Request[] {
  const { email, note, label, accountPassword, wrongPassword, sessionToken, invitationToken } = texts
  const signedIn = { cookie: `sotto=${sessionToken}` }
  const form = (path: string, fields: Record<string, string>, headers = {}): Request => [
    path,
    { method: 'POST', headers, body: new URLSearchParams(fields) },
  ]
  const paths = [
    '/',
    '/dashboard',
    '/login',
    '/settings',
    '/settings/tokens',
    '/settings/sessions',
    '/secrets/new',
  ]
  return [
    ...paths.flatMap((path): Request[] => [
      [path, {}],
      [path, { headers: signedIn }],
      [path, { headers: { cookie: `sotto=${note}; other=${accountPassword}` } }],
      [path, { method: 'PUT', headers: signedIn }],
    ]),
    [`/login?next=/${note}&email=${email}`, {}],
    [`/dashboard?folder=${note}&after=${label}`, { headers: signedIn }],
    ...[texts.secretId, note].map((id): Request => [`/secrets/${id}`, { headers: signedIn }]),
    ...[invitationToken, note].map((token): Request => [`/welcome/${token}`, {}]),
    ['/api/folders', { headers: { accept: 'text/html', authorization: `Bearer ${note}` } }],
    form(`/welcome/${invitationToken}`, { email, password: 'short' }),
    form(`/welcome/${invitationToken}`, { email, password: email }),
    form('/login', { email, password: wrongPassword, next: `/${note}` }),
    form('/login', { email: note, password: wrongPassword }),
    form('/login', { email, password: accountPassword }),
    form('/login', { email, password: accountPassword }, { origin: `https://${note}.example` }),
    form('/login', { email, password: accountPassword, [note]: label }),
    ['/login', { method: 'POST', body: `{"email":"${email}","password":"${accountPassword}"}` }],
    ...newSecretForms(texts, (fields, headers) => form('/secrets/new', fields, { ...signedIn, ...headers })),
    form('/settings/tokens', { name: label, read: 'on', expires: '', proof: wrongPassword }, signedIn),
    form('/settings/email', { email: note, proof: wrongPassword }, signedIn),
    form('/settings/password', { email, password: email, proof: wrongPassword }, signedIn),
    form('/folders', { label: `${label}\u0007` }, signedIn),
  ]
}

function newSecretForms(
  { label, note, linkPassword, folderId }: PageTexts,
  form: (fields: Record<string, string>, headers?: Record<string, string>) => Request,
): readonly Request[] {
  const fields = { label, note, password: linkPassword, folder: folderId, opens: '3', expires: '3600' }
  return [
    form({ ...fields, action: 'create' }),
    form({ ...fields, action: 'draft' }),
    form({ ...fields, action: 'create', opens: note }),
    form({ ...fields, action: note, expires: label }),
    form({ ...fields, folder: label }),
    form({ ...fields, label: `${label}\u0007` }),
    form(fields, { cookie: `sotto=${note}` }),
  ]
}
