import t, { type Test } from 'tap'
import { createClient, SottoError, type SottoErrorCode } from '../src/index.ts'
import { startService } from './support/service.ts'

// Against the server itself.

async function failure(call: PromiseLike<unknown>): Promise<SottoError> {
  return Promise.resolve(call).then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: unknown) => (error instanceof SottoError ? error : Promise.reject(error as Error)),
  )
}

async function fails(t: Test, call: PromiseLike<unknown>, code: SottoErrorCode, status: number) {
  const error = await failure(call)
  t.match(error, { code, status, message: /^[A-Z].+\.$/ })
  return error
}

t.test('a secret is created, listed, fetched and opened', async (t) => {
  const { client, folderId } = await startService(t)
  const created = await client.createSecret({ label: 'Router', note: 'a\nb 🔑', folderId, openLimit: 2 })
  t.match(created, { label: 'Router', folderId, link: { url: /^http:.{40,}$/ } })
  t.strictSame(await client.getSecret(created.id), created)
  t.strictSame(await client.listSecrets(), [created])
  t.match(await client.listFolders(), [{ id: folderId, label: 'Inbox', draftsCount: 0, secretsCount: 1 }])
  const opened = { label: 'Router', note: 'a\nb 🔑', expiresAt: created.expiresAt, files: [] }
  t.strictSame(await client.openLink(created.link.url), { ...opened, opensLeft: 1 })
  t.strictSame(await client.openLink(new URL(created.link.url)), { ...opened, opensLeft: 0 })
  await fails(t, client.openLink(created.link.url), 'not_found', 404)
})

t.test('a request is answered once, without the access token', async (t) => {
  const { client, folderId, sotto, memory } = await startService(t)
  const accountId = [...memory.data.accounts.keys()][0] ?? ''
  const request = (await sotto.createRequest({ accountId, folderId, title: 'Router' }))._unsafeUnwrap()
  const url = `${new URL((await client.createSecret({ label: 'l', note: 'n', folderId })).link.url).origin}/r/${request.link.token}`
  await fails(t, client.answerRequest(url, ''), 'invalid_request', 400)
  await fails(t, client.answerRequest(url, 'x'.repeat(1_000_000)), 'too_large', 413)
  t.match(await client.answerRequest(url, 'a\nb 🔑'), { receivedAt: /^\d{4}-\d\d-\d\dT.*\d{6}Z$/ })
  await fails(t, client.answerRequest(new URL(url), 'again'), 'not_found', 404)
  await t.rejects(client.answerRequest('not a link', 'x'), TypeError)
})

t.test('a secret is destroyed, and returned as it was', async (t) => {
  const { client, folderId, scoped } = await startService(t)
  const secret = await client.createSecret({ label: 'L', note: 'n', folderId })
  await fails(t, (await scoped(['read'])).deleteSecret(secret.id), 'forbidden', 403)
  t.strictSame(await client.deleteSecret(secret.id), secret)
  await fails(t, client.openLink(secret.link.url), 'not_found', 404)
  await fails(t, client.deleteSecret(secret.id), 'not_found', 404)
  await fails(t, client.deleteSecret('no/such?id'), 'not_found', 404)
  t.strictSame(await client.listSecrets(), [])
})

t.test('a secret without a limit has no number of opens left', async (t) => {
  const { client, folderId } = await startService(t)
  const { link } = await client.createSecret({ label: 'L', note: 'n', folderId, notify: true })
  t.equal((await client.openLink(link.url)).opensLeft, null)
})

t.test('files go in and come out, byte for byte, for as long as their ticket', async (t) => {
  const { client, folderId, memory } = await startService(t)
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)
  const files = [new File([bytes], 'ä "b" 🔑.bin', { type: 'image/png' }), new File([], 'empty')]
  const { link } = await client.createSecret({ label: 'L', note: 'n', folderId, openLimit: 1, files })
  const opened = await client.openLink(link.url)
  t.match(opened, { note: 'n', opensLeft: 0 })
  t.match(opened.files, [
    { name: 'ä "b" 🔑.bin', size: 200_000, type: 'image/png' },
    { name: 'empty', size: 0, type: 'application/octet-stream' },
  ])
  const [first, empty] = opened.files
  t.ok(Buffer.from(await new Response(first?.stream()).arrayBuffer()).equals(bytes))
  t.equal(await new Response(empty?.stream()).text(), '')
  const cut = await client.openLink(
    (await client.createSecret({ label: 'L', note: 'n', folderId, files })).link.url,
  )
  const url = cut.files[0]?.url ?? ''
  const headers = { range: 'bytes=199999-', 'if-range': (await fetch(url)).headers.get('etag') ?? '' }
  t.equal((await fetch(url, { headers })).headers.get('content-range'), 'bytes 199999-199999/200000')
  memory.clock.advance(3_600 * 1_000_000)
  await t.rejects(new Response(first?.stream()).text(), { code: 'not_found', status: 404 })
})

t.test('a password is asked for, checked, and locks the link', async (t) => {
  const { client, folderId } = await startService(t)
  const { link } = await client.createSecret({ label: 'L', note: 'n', folderId, password: 'pä' })
  await fails(t, client.openLink(link.url), 'unauthorized', 401)
  t.equal((await client.openLink(link.url, { password: 'pä' })).note, 'n')
  for (let wrong = 0; wrong < 5; wrong += 1) {
    await fails(t, client.openLink(link.url, { password: 'no' }), 'unauthorized', 401)
  }
  const { retryAfterSeconds } = await fails(
    t,
    client.openLink(link.url, { password: 'pä' }),
    'rate_limited',
    429,
  )
  t.ok(retryAfterSeconds !== undefined && retryAfterSeconds > 60)
})

t.test('a list is read while it arrives', async (t) => {
  const { client, folderId } = await startService(t)
  for (let number = 0; number < 300; number += 1) {
    await client.createSecret({ label: `Secret ${number} 🔑`, note: 'n', folderId })
  }
  const labels: string[] = []
  for await (const { label } of client.listSecrets()) labels.push(label)
  t.equal(new Set(labels).size, 300)
  for await (const { label } of client.listSecrets()) {
    t.type(label, 'string')
    break // closes the connection: the teardown would wait for it
  }
})

t.test('invalid fields are named', async (t) => {
  const { client, folderId } = await startService(t)
  const secret = { label: '', note: 'n', folderId, openLimit: -1 }
  const { errors } = await fails(t, client.createSecret(secret), 'invalid_request', 400)
  t.strictSame(Object.keys(errors ?? {}).sort(), ['label', 'open_limit'])
})

t.test('refusals keep their statuses', async (t) => {
  const { client, origin, folderId, scoped } = await startService(t)
  const stranger = createClient({ baseUrl: origin, token: 'sotto_unknown' })
  await fails(t, stranger.listFolders(), 'unauthorized', 401)
  await fails(t, stranger.listSecrets(), 'unauthorized', 401)
  const reader = await scoped(['read'])
  await fails(t, reader.createSecret({ label: 'L', note: 'n', folderId }), 'forbidden', 403)
  await fails(t, client.getSecret('no/such?id'), 'not_found', 404)
  const huge = { label: 'L', note: 'n'.repeat(500_000), folderId }
  await fails(t, client.createSecret(huge), 'too_large', 413)
})

t.test('an empty quota says when to come back', async (t) => {
  const { origin, token } = await startService(t, { perMinute: 1 })
  const client = createClient({ baseUrl: origin, token, maxWaitSeconds: 0 })
  await client.listFolders()
  const { retryAfterSeconds } = await fails(t, client.listSecrets(), 'rate_limited', 429)
  t.equal(retryAfterSeconds, 60)
})

t.test('an empty quota is waited for', async (t) => {
  const { origin, token, memory } = await startService(t, { perMinute: 1 })
  const waits: number[] = []
  const wait = async (seconds: number) => {
    waits.push(seconds)
    memory.clock.advance(seconds * 1_000_000)
  }
  const client = createClient({ baseUrl: origin, token, wait })
  await client.listFolders()
  t.equal((await client.listFolders()).length, 1)
  t.strictSame(waits, [60])
})

t.test('an expired secret is not found', async (t) => {
  const { client, folderId, memory } = await startService(t)
  const { id, link } = await client.createSecret({ label: 'L', note: 'n', folderId })
  memory.clock.advance(2_592_000 * 1_000_000)
  await fails(t, client.getSecret(id), 'not_found', 404)
  await fails(t, client.openLink(link.url), 'not_found', 404)
  t.strictSame(await client.listSecrets(), [])
})

t.test('the base address may have slashes at its end', async (t) => {
  const { origin, token } = await startService(t)
  for (const baseUrl of [origin, `${origin}/`, `${origin}//`, new URL(origin)]) {
    t.equal((await createClient({ baseUrl, token }).listFolders()).length, 1)
  }
})

t.test('wrong use is a TypeError', async (t) => {
  for (const baseUrl of ['', 'localhost', 'ftp://x', 'http://ann:pw@x']) {
    t.throws(() => createClient({ baseUrl, token: 't' }), TypeError, baseUrl)
  }
  for (const token of ['line\nbreak', 'a b', '\u0001', 'ü']) {
    t.throws(() => createClient({ baseUrl: 'http://x', token }), TypeError)
  }
  const client = createClient({ baseUrl: 'http://x', token: 't' })
  await t.rejects(client.openLink('not a link'), TypeError)
  const secret = { label: 'L', note: 'n', folderId: 'f' }
  await t.rejects(client.createSecret(secret, { idempotencyKey: 'a b' }), TypeError)
})

// Promise (Requests): Where a request takes files, an answer carries some, and they belong to the draft that it becomes
t.test('an answer carries files where the request takes some', async (t) => {
  const { client, folderId, memory, sotto } = await startService(t)
  const accountId = [...memory.data.accounts.keys()][0] ?? ''
  const { origin } = new URL((await client.createSecret({ label: 'l', note: 'n', folderId })).link.url)
  const ask = async (takesFiles: boolean) => {
    const input = { accountId, folderId, title: 'Passport', answersAllowed: 2, takesFiles }
    return `${origin}/r/${(await sotto.createRequest(input))._unsafeUnwrap().link.token}`
  }
  const files = [new File(['abc'], 'a "b".pdf', { type: 'application/pdf' }), new File([], 'empty')]
  await fails(t, client.answerRequest(await ask(false), 'x', { files }), 'unsupported_media_type', 415)
  const url = await ask(true)
  t.match(await client.answerRequest(url, 'x', { files }), { receivedAt: /Z$/ })
  t.match(await client.answerRequest(url, '', { files: [new File(['c'], 'c')] }), { receivedAt: /Z$/ })
  t.same(memory.data.files.size, 3)
  await fails(t, client.answerRequest(url, 'x', { files }), 'not_found', 404)
})
