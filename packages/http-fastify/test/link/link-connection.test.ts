import t from 'tap'
import { answersIn, firstAnswer, head, open, sendRaw } from '../support/raw.ts'
import { startLinks } from '../support/links.ts'

const unknown = `/${'A'.repeat(43)}`

t.test('an answer tells whether its connection stays open', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  const port = await links.listen()
  for (const url of [path, unknown]) {
    const connection = await open(port)
    connection.socket.write(head(`GET ${url} HTTP/1.1`, 'Host: a', 'Accept: application/json'))
    await connection.received('}')
    connection.socket.end()
    const { headers } = firstAnswer(await connection.closed)
    t.equal(headers['connection'], 'keep-alive', url)
    t.match(headers['keep-alive'], /^timeout=\d+$/)
    const closing = await sendRaw(port, head(`GET ${url} HTTP/1.1`, 'Host: a', 'Connection: close'))
    t.equal(firstAnswer(closing).headers['connection'], 'close', url)
    const old = await sendRaw(port, head(`GET ${url} HTTP/1.0`, 'Host: a'))
    t.equal(firstAnswer(old).headers['connection'], 'close', url)
  }
})

t.test(
  'a refused body that has arrived does not end the connection, unless the client asks for it',
  async (t) => {
    const links = await startLinks(t)
    const large = 'x'.repeat(100_000)
    const post = (connection: string) =>
      head(
        `POST ${unknown} HTTP/1.1`,
        'Host: a',
        'Content-Type: application/json',
        `Content-Length: ${large.length}`,
        `Connection: ${connection}`,
      ) + large
    const answers = answersIn(await sendRaw(await links.listen(), post('keep-alive'), post('close')))
    t.same(
      answers.map(({ status, headers }) => [status, headers['connection']]),
      [
        [413, 'keep-alive'],
        [413, 'close'],
      ],
    )
  },
)
