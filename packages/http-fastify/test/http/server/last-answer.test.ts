import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { closeWithConnection } from '../../../src/http/server/last-answer.ts'
import { sottoServerOptions } from '../../../src/index.ts'
import { head, listen, open } from '../../support/raw.ts'
import { createWorld } from '../../support/world.ts'

/** Answers to requests of one connection, and how often each was closed. */
function answersOn(socket: Socket, count: number) {
  const request = new IncomingMessage(socket)
  return Array.from({ length: count }, () => {
    const response = new ServerResponse(request)
    const answer = { request, response, closes: 0 }
    response.on('close', () => (answer.closes += 1))
    return answer
  })
}

t.test('an answer that waits behind others closes with its connection, once', async (t) => {
  const socket = new Socket()
  const answers = answersOn(socket, 20)
  const warnings: unknown[] = []
  const warn = (warning: unknown) => warnings.push(warning)
  process.on('warning', warn)
  t.teardown(() => process.off('warning', warn))
  for (const { request, response } of answers) closeWithConnection(request, response)
  const [closed, cutOff] = answers
  // Node.js before 24.16 says no more of one that is cut off while it waits.
  for (const answer of [closed, cutOff]) Object.assign(answer?.response ?? {}, { destroyed: true })
  closed?.response.emit('close')
  socket.destroy()
  await once(socket, 'close')
  for (const { response, closes } of answers) t.same([response.destroyed, closes], [true, 1])
  await new Promise(setImmediate)
  t.same(warnings, [])
})

t.test('an answer that has its connection is closed by Node.js', (t) => {
  const socket = new Socket()
  const listeners = socket.listenerCount('close')
  const [waited, first] = answersOn(socket, 2)
  if (waited === undefined || first === undefined) throw new Error('two answers')
  closeWithConnection(waited.request, waited.response)
  t.equal(socket.listenerCount('close'), listeners + 1)
  waited.response.assignSocket(socket)
  waited.response.detachSocket(socket)
  t.equal(socket.listenerCount('close'), listeners)
  first.response.assignSocket(socket)
  const assigned = socket.listenerCount('close')
  closeWithConnection(first.request, first.response)
  t.equal(socket.listenerCount('close'), assigned)
  socket.destroy()
  t.end()
})

t.test('the answers of a server close with their connection', async (t) => {
  const app = Fastify(sottoServerOptions({ sotto: createWorld().sotto }))
  t.teardown(() => app.close())
  const waiting = new Promise<ServerResponse>((resolve) =>
    app.get('/:which', async (request, reply) => {
      if (request.url === '/second') resolve(reply.raw)
      await once(reply.raw, 'close')
    }),
  )
  const { socket } = await open(await listen(app))
  const get = (path: string) => head(`GET ${path} HTTP/1.1`, 'Host: localhost:3000')
  socket.write(get('/first') + get('/second'))
  const response = await waiting
  // Node.js has no listener of its own: this is what waits for the connection.
  t.equal(response.listenerCount('socket'), 1)
  socket.resetAndDestroy()
  await once(response, 'close')
  t.ok(response.destroyed)
})
