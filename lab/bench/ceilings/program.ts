// The ceilings: what Fastify, SQLite and the cryptography allow when nothing else is done. Small and without checks on purpose.
// Usage: node program.ts DIRECTORY PORT
import { randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import Fastify from 'fastify'
import { answer } from './answer.ts'
import { createLeastGroupCommit, openDurableFile } from './durable-file.ts'
import { encryptLikeTheServer } from './same-cryptography.ts'

interface Body {
  readonly note: string
}

const [directory = '.', port = '0'] = process.argv.slice(2)
const app = Fastify()

app.get('/bare', () => answer)
app.post('/bare', (_request, reply) => reply.code(201).send(answer))

const db = openDurableFile(directory, 'ceilings.sqlite')
// The least that a secret needs: an id ordered by time, a lookup that cannot be guessed, and a body. This lookup is 32 random bytes, so its
// index changes at a random page for each insert. The server's lookups begin with their time, so its index grows at its end. The ceiling
// stays as it is, so that the ratios of all runs compare.
db.exec('CREATE TABLE secrets (id BLOB PRIMARY KEY, lookup BLOB NOT NULL UNIQUE, body BLOB NOT NULL) STRICT')
const statement = db.prepare('INSERT INTO secrets (id, lookup, body) VALUES (?, ?, ?)')
const together = createLeastGroupCommit(db)

function insert(body: Buffer): void {
  const random = randomBytes(48)
  random.writeUIntBE(Date.now(), 0, 6)
  statement.run(random.subarray(0, 16), random.subarray(16), body)
}

app.post<{ Body: Body }>('/single', (request, reply) => {
  insert(Buffer.from(request.body.note))
  return reply.code(201).send(answer)
})
app.post<{ Body: Body }>('/grouped', async (request, reply) => {
  await together(() => insert(Buffer.from(request.body.note)))
  return reply.code(201).send(answer)
})
app.post<{ Body: Body }>('/encrypted', async (request, reply) => {
  const encrypted = encryptLikeTheServer(request.body.note)
  await together(() => insert(encrypted))
  return reply.code(201).send(answer)
})

// Links without an open limit, whose opens are counted durably.
db.exec('CREATE TABLE links (id INTEGER PRIMARY KEY, opens INTEGER NOT NULL) STRICT')
for (let id = 0; id < 500; id += 1) db.prepare('INSERT INTO links VALUES (?, 0)').run(id)
const countOpen = db.prepare('UPDATE links SET opens = opens + 1 WHERE id = ?')
let next = 0
app.post('/open', async (_request, reply) => {
  next = (next + 1) % 500
  const id = next
  await together(() => countOpen.run(id))
  return reply.send(answer)
})

// Argon2id, the package's default, one hash at a time like a server on two processors.
let hashing: Promise<unknown> = Promise.resolve()
app.post('/argon2id', async (_request, reply) => {
  const hash = () =>
    hashRaw('correct horse', {
      memoryCost: 65_536,
      timeCost: 3,
      parallelism: 1,
      outputLen: 32,
      salt: Buffer.alloc(16, 1),
    })
  const mine = hashing.then(hash)
  hashing = mine
  await mine
  return reply.send(answer)
})

await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log('ready')
process.on('SIGTERM', () => process.exit(0))
