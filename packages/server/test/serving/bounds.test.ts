import { createNodeCrypto } from '@sotto/adapter-node-crypto'
import { connect } from 'node:net'
import t from 'tap'
import { addOwner, addSecret, startTestServer } from '../support/installation.ts'

t.test('slow clients and passwords', { jobs: 2 }, async (t) => {
  // Promise (The JSON API): A slow client: 408: after 10 s for its headers and 15 s for its whole request
  void t.test('a client has 10 s for its headers and 15 s for its whole request', async (t) => {
    const { installation, baseUrl } = await startTestServer(t, t.testdir())
    const { token } = await addOwner(installation)
    const { host, port } = new URL(baseUrl)
    const json = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    const post = `POST /api/secret HTTP/1.1\r\nHost: ${host}\r\n${json}`
    const slow: readonly (readonly [string, number, string])[] = [
      ['silence', 10_000, ''],
      ['headers that stop', 10_000, `GET /api/folders HTTP/1.1\r\nHost: ${host}\r\n`],
      ['a body that stops', 15_000, `${post}Content-Length: 50\r\n\r\n{"label"`],
      ['chunks that stop', 15_000, `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
    ]
    await Promise.all(
      slow.map(async ([name, bound, bytes]) => {
        const { status, millis } = await answerTo(Number(port), bytes)
        t.equal(status, '408', name)
        // A machine that is busy may look late, never early.
        t.ok(millis >= bound - 100 && millis < bound + 15_000, `${name}: ${Math.round(millis)} ms`)
      }),
    )
  })

  // Promise (The JSON API): More passwords than can be hashed in time: 503
  void t.test('more passwords than can be hashed in time are 503', async (t) => {
    let waitedTooLong = 0
    const setTimer = (millis: number, run: () => void) => {
      const refuse = () => {
        waitedTooLong += 1
        run()
      }
      const timer = setTimeout(refuse, millis)
      return () => clearTimeout(timer)
    }
    const { installation, call } = await startTestServer(t, t.testdir(), {
      // One at a time on every machine, at the real cost of a password, with the real bounds.
      replace: {
        createCrypto: (options) => createNodeCrypto({ ...options, hashing: { concurrency: 1, setTimer } }),
      },
    })
    const owner = await addOwner(installation)
    const urls: string[] = []
    while (urls.length < 12) {
      const { link } = await addSecret(installation, owner, { password: 'correct horse' })
      urls.push(`/${link.token}`)
    }
    await Promise.all([call('/healthz'), call('/healthz')])
    const start = performance.now()
    const open = async (url: string) => ({
      ...pick(await call(url, wrongPassword)),
      millis: performance.now() - start,
    })
    // Of one link five attempts may be under way.
    const answers = await Promise.all(urls.flatMap((url) => Array.from({ length: 5 }, () => open(url))))
    t.strictSame([...new Set(answers.map(({ status }) => status))].sort(), [401, 503])
    const refused = answers.filter(({ status }) => status === 503)
    for (const { retryAfter } of refused) t.match(retryAfter, /^[1-9]/)
    // One is hashed and 32 wait. Most other ones are refused immediately.
    const atOnce = refused.length - waitedTooLong
    t.ok(atOnce >= 10, `${atOnce} refused immediately`)
    for (const { millis } of answers) t.ok(millis < 8_000, `answered after ${Math.round(millis)} ms`)
  })
  await Promise.resolve()
})

const wrongPassword = {
  method: 'POST',
  body: '{"password":"wrong"}',
  headers: { accept: 'application/json', 'content-type': 'application/json' },
}

function pick({ status, headers }: Response) {
  return { status, retryAfter: headers.get('retry-after') }
}

/** The status of the answer to bytes after which nothing more comes, and how long it took. */
function answerTo(port: number, bytes: string): Promise<{ status: string | undefined; millis: number }> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes))
    socket.setEncoding('latin1').once('data', (text: string) => {
      resolve({ status: /^HTTP\/1\.1 (\d+)/.exec(text)?.[1], millis: performance.now() - start })
      socket.destroy()
    })
    socket.once('error', reject)
  })
}
