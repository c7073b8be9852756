// What files cost a server that does nothing with them: Fastify with one route that writes a body to a file, as it arrives and synced, and one
// that sends the file. Usage: node bare-files.ts PORT DIRECTORY
import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Fastify from 'fastify'

const [port = '0', directory = ''] = process.argv.slice(2)
mkdirSync(directory, { recursive: true })
const app = Fastify()
let files = 0
app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
app.post('/bare', async (request) => {
  const name = `${(files += 1)}`
  const body = request.body as NodeJS.ReadableStream
  await pipeline(body, createWriteStream(join(directory, name), { flush: true }))
  return { name }
})
app.get<{ Params: { name: string } }>('/bare/:name', (request, reply) => {
  const path = join(directory, request.params.name)
  const headers = { 'content-length': statSync(path).size, 'content-type': 'application/octet-stream' }
  // Sotto reads pieces of this size, too.
  return reply.headers(headers).send(createReadStream(path, { highWaterMark: 262_144 }))
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log('ready')
process.on('SIGTERM', () => process.exit(0))
