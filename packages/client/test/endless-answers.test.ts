import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { createListParser } from '../src/list-parser.ts'
import { createClient, type Client } from '../src/index.ts'
import { exampleSecret, startAnything } from './support/service.ts'

// Against servers whose answers do not end.

const mebibyte = 1_048_576
const json = { 'content-type': 'application/json; charset=utf-8' }
const newSecret = { label: 'L', note: 'n', folderId: exampleSecret.folder_id }

/** Writes `begin`, then `piece` again and again for as long as the client reads. */
async function startEndless(t: Test, status: number, begin: string, piece: string) {
  const sent = { bytes: 0 }
  const origin = await startAnything(t, (request, answer) => {
    request.resume()
    answer.writeHead(status, json)
    answer.write(begin)
    more(answer)
  })
  function more(answer: ServerResponse): void {
    while (!answer.destroyed) {
      sent.bytes += piece.length
      if (answer.write(piece)) continue
      answer.once('drain', () => more(answer))
      return
    }
  }
  return { origin, sent, client: createClient({ baseUrl: origin, token: 'sotto_any', retries: 0 }) }
}

const calls: Readonly<Record<string, (client: Client, origin: string) => PromiseLike<unknown>>> = {
  listFolders: (client) => client.listFolders(),
  listSecrets: (client) => client.listSecrets(),
  getSecret: (client) => client.getSecret(exampleSecret.id),
  deleteSecret: (client) => client.deleteSecret(exampleSecret.id),
  createSecret: (client) => client.createSecret(newSecret),
  createSecretWithFiles: (client) => client.createSecret({ ...newSecret, files: [new File(['a'], 'a')] }),
  openLink: (client, origin) => client.openLink(`${origin}/token`),
  answerRequest: (client, origin) => client.answerRequest(`${origin}/r/token`, 'a'),
}

for (const [name, call] of Object.entries(calls)) {
  // Promise (Clients): No answer is read without a bound
  t.test(`${name}: an answer without end is read up to a bound, then it is none`, async (t) => {
    const piece = 'x'.repeat(65_536)
    for (const status of [200, 201, 400, 404, 413, 503]) {
      const { client, origin, sent } = await startEndless(t, status, '{"success":false,"message":"', piece)
      const expected = status === 413 ? 'too_large' : 'malformed_answer'
      await t.rejects(Promise.resolve(call(client, origin)), { name: 'SottoError', code: expected })
      // What the system keeps for a connection comes besides.
      t.ok(sent.bytes < 24 * mebibyte, `${status}: ${sent.bytes} bytes`)
    }
  })
}

t.test('a list without end is read up to a bound where it is kept in memory', async (t) => {
  const entry = JSON.stringify({ ...exampleSecret, more: 'x'.repeat(50_000) })
  const endless = await startEndless(
    t,
    200,
    `{"success":true,"version":"1.0","data":[${entry}`,
    `,${entry}`.repeat(20),
  )
  await t.rejects(Promise.resolve(endless.client.listSecrets()), {
    code: 'malformed_answer',
    message: /134217728/,
  })
  t.ok(endless.sent.bytes < 160 * mebibyte)
  let read = 0
  for await (const { label } of endless.client.listSecrets()) {
    t.equal(label, exampleSecret.label)
    if ((read += 1) === 10) break
  }
})

t.test('neither an entry of a list nor what is around the entries is without a bound', (t) => {
  for (const begin of ['{"success":true,"data":[{"label":"', '{"success":true,"data":[', '{"success":"']) {
    const parser = createListParser()
    parser.push(begin)
    t.throws(() => Array.from({ length: 20 }, () => parser.push('x'.repeat(10_000))), {
      code: 'malformed_answer',
    })
  }
  const parser = createListParser()
  t.throws(() => parser.push(`{"success":true,"data":[${' '.repeat(2_000)}{}`), { code: 'malformed_answer' })
  t.end()
})

t.test('a file is at most as long as the largest that a service takes', async (t) => {
  const opened = { label: 'L', note: 'n', opens_left: null, expires_at: exampleSecret.expires_at }
  for (const size of ['-1', '1.5', '1e400', '1099511627777']) {
    const url = 'http://127.0.0.1/f/a/1'
    const files = `[{"name":"a","size":${size},"type":"t","url":"${url}"}]`
    const body = `{"success":true,"data":${JSON.stringify(opened).replace(/\}$/, '')},"files":${files}}}`
    const origin = await startAnything(t, (_request, answer) => answer.writeHead(200, json).end(body))
    const client = createClient({ baseUrl: origin, token: 'sotto_any' })
    const [file] = (await client.openLink(`${origin}/token`)).files
    await t.rejects(
      new Response(file?.stream()).text(),
      { code: 'malformed_answer', message: /no size/ },
      size,
    )
  }
})
