import { once } from 'node:events'
import { createServer } from 'node:net'
import { expectErr } from '@sotto/test-kit'
import { test } from 'tap'
import { postgresDriver } from '../src/index.ts'

/** ErrorResponse of the protocol (version 3.0), with severity and SQLSTATE. */
function errorResponse(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrefused\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

test('when a pooler refuses the settings of the connection, the error says what to change', async (t) => {
  // PgBouncer answers so unless its ignore_startup_parameters name the settings.
  const pooler = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(errorResponse('08P01')))
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  t.teardown(() => pooler.close())
  const address = pooler.address()
  const port = typeof address === 'object' ? address?.port : 0
  const driver = postgresDriver({
    url: `postgres://me@127.0.0.1:${port}/sotto`,
    prepare: false,
    pipeline: false,
  })
  t.match(expectErr(await driver.hasData()), {
    code: 'database_unreachable',
    detail: /ignore_startup_parameters/,
  })
})
