import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { ResultAsync } from 'neverthrow'
import t from 'tap'
import { head, open } from '../support/raw.ts'
import { startLinks } from '../support/links.ts'

for (const [how, leave, event] of [
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), 'close'],
  ['closes the connection', (socket: Socket) => socket.end(), 'end'],
] as const) {
  t.test(`a client that ${how} while its password is verified spends no open`, async (t) => {
    const begun = Promise.withResolvers<undefined>()
    const gate = Promise.withResolvers<undefined>()
    const links = await startLinks(t, {
      replace: ({ secretCipher }) => ({
        secretCipher: {
          ...secretCipher,
          // Takes its time, as password hashing does.
          decryptNote(...given) {
            begun.resolve(undefined)
            return new ResultAsync(gate.promise.then(async () => secretCipher.decryptNote(...given)))
          },
        },
      }),
    })
    const { secret, path } = await links.share({ password: 'right', openLimit: 1, note: 'the note' })
    const port = await links.listen()
    const accepted = once(links.app.server, 'connection')
    const client = await open(port)
    const [server] = (await accepted) as [Socket]
    const body = JSON.stringify({ password: 'right' })
    const type = 'Content-Type: application/json'
    client.socket.write(
      head(`POST ${path} HTTP/1.1`, 'Host: localhost:3000', type, `Content-Length: ${body.length}`) + body,
    )
    await begun.promise
    const left = new Promise((resolve) => server.once(event, resolve))
    leave(client.socket)
    await left
    gate.resolve(undefined)
    t.equal(await client.closed, '', 'no answer')
    while (links.memory.data.secrets.get(secret.id)?.attempts.underWay.length !== 0) await setImmediate()
    t.equal(links.opens(secret), 0)
    t.equal((await links.openJson(path, { password: 'right' })).statusCode, 200, 'the only open is left')
    t.notMatch(links.logLines.join(''), /"level":(?:40|50|60)/, 'nothing is reported')
  })
}

t.test('a client that waits for its answer gets it', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ note: 'the note' })
  const client = await open(await links.listen())
  client.socket.write(head(`POST ${path} HTTP/1.1`, 'Host: localhost:3000', 'Content-Length: 0'))
  await client.received('the note')
  client.socket.destroy()
  t.pass('it was delivered')
})
