import { expectOk } from '@sotto/test-kit'
import { newRequestKeys, openAnswer, openFile } from '@sotto/sealed'
import t from 'tap'
import { createClient, SottoError } from '../../src/index.ts'
import { startService, type Service } from '../support/service.ts'

const canary = 'canary-9b1f3e'

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    return error instanceof SottoError ? error.code : String(error)
  }
}

async function ask({ sotto, memory, folderId, origin }: Service, key?: string) {
  const accountId = [...memory.data.accounts.keys()][0] ?? ''
  const input = { accountId, folderId, title: 'Passport', answersAllowed: 3, takesFiles: true, key }
  const { id, link } = expectOk(await sotto.createRequest(input))
  return { accountId, id, url: `${origin}/r/${link.token}` }
}

/** A client, and what it sends: addresses and bodies. */
function recorded({ origin, token }: Service) {
  const sent: string[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const request = new Request(url, init)
    sent.push(`${request.method} ${request.url} ${await request.clone().text()}`)
    return globalThis.fetch(url, init)
  }
  return { sent, client: createClient({ baseUrl: origin, token, fetch }) }
}

// Promise (Encrypted in the browser): The service gets neither the text of an answer nor its files nor their names, and no key
t.test('an answer to a request with a key is sealed with its files, for its owner alone', async (t) => {
  const service = await startService(t)
  const keys = await newRequestKeys()
  const { accountId, id, url } = await ask(service, keys.key)
  const { sent, client } = recorded(service)
  const bytes = new TextEncoder().encode(canary.repeat(10_000))
  const files = [new File([bytes], `${canary}.pdf`, { type: 'application/pdf' })]
  await client.answerRequest(`<${url}#${keys.auth}>.`, `${canary}\r\n`, { files })
  service.memory.clock.advance(1_000_000)
  await client.answerRequest(`${url}#${keys.auth}`, '', { files })
  t.equal(sent.length, 4)
  for (const text of sent)
    for (const secret of [canary, keys.auth, keys.ownerKey]) t.notOk(text.includes(secret), text.slice(0, 60))
  for await (const page of service.sotto.listAnswers({ accountId, requestId: id })) {
    const { items } = expectOk(page)
    t.equal(items.length, 2)
    for (const [at, { note, ...answer }] of items.entries()) {
      const content = await openAnswer(keys, note ?? '')
      t.match(content, {
        text: ['', `${canary}\r\n`][at],
        files: [{ name: `${canary}.pdf`, size: bytes.length }],
      })
      const { key: fileKey, size } = content!.files[0]!
      const file = expectOk(await service.sotto.readDraftFile({ accountId, id: answer.id, number: 1 }))
      t.equal(file.name, '1.sealed')
      const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async start(controller) {
          for await (const piece of file.read()) controller.enqueue(new Uint8Array(expectOk(piece)))
          controller.close()
        },
      })
      const plain = pieces.pipeThrough(openFile(fileKey, size))
      t.strictSame(new Uint8Array(await new Response(plain).arrayBuffer()), bytes)
    }
  }
})

// Promise (Encrypted in the browser): Without the whole link of a request with a key, a program sends nothing
t.test('a link that lacks its key, and one whose request denies it, get nothing', async (t) => {
  const service = await startService(t)
  const { key, auth } = await newRequestKeys()
  const { url } = await ask(service, key)
  const { sent, client } = recorded(service)
  for (const cut of [url, `${url}#`, `${url}#${auth.slice(1)}`])
    t.equal(await codeOf(client.answerRequest(cut, canary)), 'key_missing')
  const plain = await ask(service)
  t.equal(await codeOf(client.answerRequest(`${plain.url}#${auth}`, canary)), 'key_wrong')
  t.notOk(sent.some((text) => text.startsWith('POST')))
  await client.answerRequest(`${plain.url}#other`, 'plain')
  t.ok(sent.at(-1)?.endsWith('{"note":"plain"}'))
})

t.test('what cannot be sealed, and what is too long, is an invalid field', async (t) => {
  const service = await startService(t)
  const { key, auth } = await newRequestKeys()
  const { url } = await ask(service, key)
  for (const note of ['', '\0', '\ud800', 'x'.repeat(70_000)])
    await t.rejects(service.client.answerRequest(`${url}#${auth}`, note), {
      code: 'invalid_request',
      errors: { note: [/./] },
    })
  await service.client.answerRequest(`${url}#${auth}`, 'x'.repeat(65_536))
})
