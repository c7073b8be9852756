import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import t from 'tap'
import { drain } from '../../../src/http/bodies/drain.ts'

const request = (stream: Readable, headers: Record<string, string>) =>
  Object.assign(stream, { headers }) as unknown as IncomingMessage

t.test('a finite body is read to its end', async (t) => {
  const body = Readable.from([Buffer.alloc(1_000), Buffer.alloc(1_000)])
  t.equal(await drain(request(body, { 'content-length': '2000' })), true)
  t.equal(body.readableEnded, true)
})

t.test('a request without a body needs no wait', async (t) => {
  const nothing = new Readable({ read: () => undefined })
  t.equal(await drain(request(nothing, {})), true)
  t.equal(await drain(request(nothing, { 'content-length': '0' })), true)
})

t.test('an endless body is abandoned after 16 MiB', async (t) => {
  let given = 0
  const endless = new Readable({
    read(size) {
      given += size
      setImmediate(() => this.push(Buffer.alloc(size)))
    },
  })
  t.equal(await drain(request(endless, { 'transfer-encoding': 'chunked' })), false)
  t.ok(given < 17 * 1024 * 1024, `${given} bytes`)
  endless.destroy()
})

t.test('an aborted body is abandoned immediately', async (t) => {
  const broken = new Readable({ read: () => undefined })
  const drained = drain(request(broken, { 'content-length': '10' }))
  broken.destroy(new Error('aborted'))
  t.equal(await drained, false)
})

t.test('a request is waited for once', async (t) => {
  const broken = request(new Readable({ read: () => undefined }), { 'content-length': '10' })
  const first = drain(broken)
  broken.destroy()
  t.equal(await first, false)
  t.equal(await drain(broken), false)
})
