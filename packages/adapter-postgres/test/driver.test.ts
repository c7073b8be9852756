import { once } from 'node:events'
import { createServer } from 'node:net'
import { expectErr } from '@sotto/test-kit'
import { test } from 'tap'
import { postgresDriver } from '../src/index.ts'

/** ErrorResponse of the protocol (version 3.0), with severity, SQLSTATE and message. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const canary = 'canary-7f3a'

// test/pooler.test.ts has these answers from a real PgBouncer 1.18; later ones also look into options.
const answers = [
  [
    'unsupported startup parameter: statement_timeout',
    /refuses statement_timeout: .*ignore_startup_parameters/,
  ],
  [`unsupported startup parameter in options: ${canary}`, /refuses options: unset PGOPTIONS/],
  ['unsupported startup parameter: options', /refuses options: unset PGOPTIONS/],
  [`no such user: ${canary}`, /refuses the connection \(08P01\)$/],
  [`unsupported startup parameter: ${canary}`, /refuses the connection \(08P01\)$/],
] as const

test('what a pooler refuses is said with what to do, and without its message', async (t) => {
  for (const [message, expected] of answers) {
    const pooler = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(errorResponse('08P01', message)))
    })
    pooler.listen(0, '127.0.0.1')
    await once(pooler, 'listening')
    t.teardown(() => pooler.close())
    const address = pooler.address()
    const port = typeof address === 'object' ? address?.port : 0
    const driver = postgresDriver({ url: `postgres://me@127.0.0.1:${port}/sotto` })
    const error = expectErr(await driver.hasData())
    t.match(error, { code: 'database_unreachable', detail: expected })
    t.notMatch(JSON.stringify(error), canary)
  }
})
