import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { failing } from '@sotto/test-kit'
import { ResultAsync } from 'neverthrow'
import t from 'tap'
import { open } from '../support/raw.ts'
import { formIdOf, startLinks } from '../support/links.ts'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const
const broken = { code: 'storage_failed', detail: 'disk I/O error' } as const

t.test('a busy store: 503 with Retry-After, and nothing is used up', async (t) => {
  const links = await startLinks(t, {
    replace: (ports) => ({ links: failing(ports.links, { find: busy, update: busy }, { times: 2 }) }),
  })
  const { secret, path } = await links.share({ openLimit: 1 })
  const answers = [
    await links.visit(path),
    await links.request('GET', path, { headers: { accept: 'application/json' } }),
    await links.submit(path, { form_id: '0'.repeat(32) }),
    await links.openJson(path),
  ]
  for (const answer of answers) {
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^[1-9]\d*$/)
  }
  t.match(answers[0]?.body, 'Nothing was opened and nothing was used up.')
  t.match(answers[3]?.json(), { success: false, version: '1.0' })
  t.equal(links.opens(secret), 0)
  t.equal((await links.submit(path, { form_id: formIdOf(await links.visit(path)) })).statusCode, 200)
})

t.test('a connection that breaks during an open: 503 that says that an open may be used up', async (t) => {
  const unknown = { code: 'storage_unavailable', reason: 'outcome_unknown' } as const
  const links = await startLinks(t, {
    replace: (ports) => ({ links: failing(ports.links, { update: unknown }) }),
  })
  const { path } = await links.share({ openLimit: 1 })
  const page = await links.submit(path, { form_id: '0'.repeat(32) })
  const json = await links.openJson(path)
  for (const answer of [page, json]) {
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^[1-9]\d*$/)
    t.notMatch(answer.body, 'nothing was used up')
  }
  t.match(page.body, 'An open may have been used up')
  t.match(json.json(), { message: /may have taken effect/ })
  t.match(links.logLines.join(''), 'outcome_unknown', 'it is logged')
})

t.test('a store that fails: 500 without the reason', async (t) => {
  const links = await startLinks(t, {
    replace: (ports) => ({ links: failing(ports.links, { find: broken, findWithNote: broken }) }),
  })
  const { path } = await links.share()
  for (const answer of [await links.visit(path), await links.submit(path, {})]) {
    t.equal(answer.statusCode, 500)
    t.match(answer.body, 'Something went wrong on our side')
    t.notMatch(answer.body, 'disk')
  }
  t.same((await links.openJson(path)).json(), { success: false, version: '1.0', message: 'Server error.' })
  t.match(links.logLines.join(''), 'disk I/O error', 'it is logged')
})

t.test('a defect: 500 as a page or JSON, and the log says where it is', async (t) => {
  const links = await startLinks(t, {
    replace: ({ digests }) => ({
      digests: {
        ...digests,
        linkLookup: () => {
          throw new Error('defect with a canary')
        },
      },
    }),
  })
  t.equal((await links.visit('/unknown')).statusCode, 500)
  t.match((await links.visit('/unknown')).body, 'Something went wrong on our side')
  t.same((await links.openJson('/unknown')).json(), {
    success: false,
    version: '1.0',
    message: 'Server error.',
  })
  t.match(links.logLines.join(''), 'open-errors.test.ts')
  t.notMatch(links.logLines.join(''), 'canary')
})

t.test('while the server closes, links answer with 503', async (t) => {
  const { promise: gate, resolve: release } = Promise.withResolvers<undefined>()
  const links = await startLinks(t, {
    replace: (ports) => ({
      links: {
        ...ports.links,
        find: (...given) => new ResultAsync(gate.then(async () => ports.links.find(...given))),
      },
    }),
  })
  const { path } = await links.share()
  const head = `${path} HTTP/1.1\r\nHost: localhost:3000\r\nAccept: text/html\r\n`
  const port = await links.listen()
  const connections = await Promise.all(['GET', 'POST'].map(() => open(port)))
  for (const { socket } of connections) {
    socket.write(`GET ${head}\r\n`)
    await once(links.app.server, 'request')
  }
  const closing = links.app.close()
  await setImmediate()
  for (const [at, method] of ['GET', 'POST'].entries()) {
    connections[at]?.socket.write(`${method} ${head}Content-Length: 0\r\n\r\n`)
    await once(links.app.server, 'request')
  }
  release(undefined)
  for (const { closed } of connections) {
    const received = await closed
    t.same(received.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 200', 'HTTP/1.1 503'])
    t.match(received, /^connection: close\r$/im)
    t.match(received, 'The server is busy right now')
  }
  await closing
})
