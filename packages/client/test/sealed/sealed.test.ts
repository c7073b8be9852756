import t from 'tap'
import { createClient, openLink, SottoError, type NewSecret } from '../../src/index.ts'
import { startService, type Service } from '../support/service.ts'

const canary = 'canary-5f1e0c'

/** The code of the error that a call ends with. */
const codeOf = (call: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(call).then(
    () => 'ok',
    (error: unknown) => (error instanceof SottoError ? error.code : String(error)),
  )

async function share({ client, folderId }: Service, fields: Partial<NewSecret> = {}) {
  return client.createSecret({ label: 'Sealed', note: canary, folderId, sealed: true, ...fields })
}

// Promise (Encrypted in the browser): The service gets neither text nor files nor their names, and no key
t.test('a sealed secret comes back with its files, and the service was sent none of it', async (t) => {
  const service = await startService(t)
  const sent: string[] = []
  const recording: typeof fetch = async (url, init) => {
    const request = new Request(url, init)
    sent.push(`${request.url} ${await request.clone().text()}`)
    return fetch(url, init)
  }
  const client = createClient({ baseUrl: service.origin, token: service.token, fetch: recording })
  const bytes = new TextEncoder().encode(canary.repeat(20_000))
  const files = [new File([bytes], `${canary}.txt`, { type: 'text/plain' }), new File([], 'empty')]
  const note = `${canary}\r\n😀`
  const secret = await share({ ...service, client }, { note, files, openLimit: 1, password: canary })
  t.equal(secret.sealed, true)
  const [, key = ''] = /#([\w-]{22})$/.exec(secret.link.url) ?? []
  t.ok(key)
  const opened = await client.openLink(`<${secret.link.url}>.`, { password: canary })
  t.match(opened, { label: 'Sealed', note, opensLeft: 0, sealed: true })
  t.strictSame(
    opened.files.map(({ name, size, type }) => ({ name, size, type })),
    [
      { name: `${canary}.txt`, size: bytes.length, type: 'text/plain' },
      { name: 'empty', size: 0, type: '' },
    ],
  )
  for (const [at, expected] of [bytes, new Uint8Array()].entries())
    t.strictSame(new Uint8Array(await new Response(opened.files[at]?.stream()).arrayBuffer()), expected)
  t.ok(sent.length >= 5)
  for (const text of sent) t.notOk(text.includes(canary) || text.includes(key), text.slice(0, 60))
  t.notOk(
    'sealed' in (await service.client.createSecret({ label: 'l', note: 'n', folderId: service.folderId })),
  )
})

t.test('without its key, or with another one, a sealed link is not opened and not counted', async (t) => {
  const service = await startService(t)
  const { link } = await share(service, { openLimit: 1, password: 'right' })
  const [url = '', key = ''] = link.url.split('#')
  for (const cut of [url, `${url}#`, `${url}#${key.slice(1)}`])
    for (const password of [undefined, 'right'])
      t.equal(await codeOf(openLink(cut, { password })), 'key_missing', cut)
  const another = `${url}#${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}`
  t.equal(await codeOf(openLink(another, { password: 'right' })), 'key_wrong')
  t.equal(await codeOf(openLink(link.url)), 'unauthorized')
  t.equal(await codeOf(openLink(link.url, { password: 'wrong' })), 'unauthorized')
  t.match(await openLink(link.url, { password: 'right' }), { note: canary, opensLeft: 0 })
})

t.test('the key of a plain link is left aside', async (t) => {
  const { client, folderId } = await startService(t)
  const { link } = await client.createSecret({ label: 'l', note: 'n', folderId, password: 'right' })
  t.match(await openLink(`${link.url}#AAECAwQFBgcICQoLDA0ODw`, { password: 'right' }), { note: 'n' })
})

t.test('what cannot be decrypted is not lost: the error has the sealed text', async (t) => {
  const service = await startService(t)
  const { link } = await share(service)
  const [, key = ''] = link.url.split('#')
  const lie: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (init?.method !== 'POST') return answer
    const body = (await answer.json()) as { data: { note: string } }
    const note = body.data.note.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    return Response.json({ ...body, data: { ...body.data, note } })
  }
  const error: unknown = await openLink(link.url, { fetch: lie }).catch((thrown: unknown) => thrown)
  t.match(error, { code: 'undecryptable', sealed: /^sotto-sealed-1\./ })
  t.notMatch(String(error), key)
})

t.test('a file that the service changed fails while it is read', async (t) => {
  const service = await startService(t)
  const file = new File([new Uint8Array(200_000)], 'a')
  const { link } = await share(service, { files: [file] })
  const lie: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (!new Request(url).url.includes('/f/')) return answer
    const bytes = new Uint8Array(await answer.arrayBuffer())
    bytes[100_000] = (bytes[100_000] ?? 0) ^ 1
    return new Response(bytes, { status: answer.status, headers: answer.headers })
  }
  const opened = await openLink(link.url, { fetch: lie })
  t.equal(await codeOf(new Response(opened.files[0]?.stream()).arrayBuffer()), 'undecryptable')
})

t.test('files that are not those of the list are refused before any is read', async (t) => {
  const service = await startService(t)
  const { link } = await share(service, { files: [new File(['abc'], 'a'), new File(['defg'], 'b')] })
  const lie: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (init?.method !== 'POST') return answer
    const body = (await answer.json()) as { data: { files: unknown[] } }
    return Response.json({ ...body, data: { ...body.data, files: body.data.files.slice(1) } })
  }
  t.equal(await codeOf(openLink(link.url, { fetch: lie })), 'undecryptable')
})

t.test(
  'a text that cannot be sealed, or a file that cannot be read, is an error before anything is sent',
  async (t) => {
    const service = await startService(t)
    t.equal(await codeOf(share(service, { note: '' })), 'invalid_request')
    t.equal(await codeOf(share(service, { note: 'a\0b' })), 'invalid_request')
    const unreadable = new File(['x'], 'gone.txt')
    unreadable.slice = () => {
      throw new Error('gone')
    }
    t.equal(await codeOf(share(service, { files: [unreadable] })), 'file_unreadable')
    t.strictSame(await service.client.listSecrets(), [])
  },
)
