import { randomUUID } from 'node:crypto'
import t from 'tap'
import { spawnServer, type SpawnedServer } from '../support/spawned.ts'

const env = {
  SOTTO_LIMIT_PER_MINUTE: '1000000',
  SOTTO_LIMIT_PER_DAY: '1000000',
  // The same in every process, so that their answers can be compared.
  SOTTO_LINK_BASE_URL: 'https://sotto.example.org',
}

type Caller = NonNullable<SpawnedServer['firstStart']>

/** Sends a request to create a secret; the same key gives the same request. */
async function create({ baseUrl }: SpawnedServer, caller: Caller, key: string) {
  const response = await fetch(`${baseUrl}/api/secret`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${caller.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ label: key, note: `note of ${key}`, folder_id: caller.folder_id }),
  })
  const { status, headers } = response
  const isReplayed = headers.get('idempotent-replayed') === 'true'
  return { status, isReplayed, retryAfter: headers.get('retry-after'), body: await response.text() }
}

/** The labels of the caller's secrets, in alphabetical order. */
async function labels({ baseUrl }: SpawnedServer, { token }: Caller): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/api/secrets`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await response.json()) as { data: { label: string }[] }
  return data.map(({ label }) => label).sort()
}

// Promise (Clients): Two servers that get the same key at the same time create one secret
t.test('two servers that get the same key at the same time create one secret', async (t) => {
  const cwd = t.testdir()
  const one = await spawnServer(t, { cwd, env })
  const two = await spawnServer(t, { cwd, env })
  const caller = one.firstStart!
  const keys = Array.from({ length: 20 }, () => randomUUID())
  const outcomes = { first: 0, replayed: 0, underWay: 0 }
  for (const key of keys) {
    const answers = await Promise.all([one, two, one, two].map((server) => create(server, caller, key)))
    const first = answers.filter(({ status, isReplayed }) => status === 201 && !isReplayed)
    t.equal(first.length, 1, 'one answer is not a replay')
    for (const answer of answers) {
      if (answer.status === 201) t.equal(answer.body, first[0]?.body)
      else t.match(answer, { status: 409, retryAfter: '1' })
    }
    // A 409 comes after the other request's commit: sent again, it is answered.
    const again = await create(two, caller, key)
    t.match(again, { status: 201, isReplayed: true, body: first[0]?.body })
    outcomes.first += 1
    outcomes.replayed += answers.filter(({ isReplayed }) => isReplayed).length
    outcomes.underWay += answers.filter(({ status }) => status === 409).length
  }
  t.strictSame(await labels(two, caller), [...keys].sort())
  t.ok(outcomes.underWay > 0, `requests met: ${JSON.stringify(outcomes)}`)
})

/** Kills its process, as `kill -9` does, when the first byte of an answer about a new secret is due. By then the secret is committed. */
const killBeforeAnswer = `
  import { ServerResponse } from 'node:http'
  const { writeHead } = ServerResponse.prototype
  ServerResponse.prototype.writeHead = function (status, ...rest) {
    const isReplayed = JSON.stringify(rest).includes('idempotent-replayed')
    if (status === 201 && !isReplayed) process.kill(process.pid, 'SIGKILL')
    return writeHead.call(this, status, ...rest)
  }`

// Promise (Clients): Two servers that get the same key at the same time create one secret: and so does one that is killed between commit
// and answer
t.test('a server that is killed between commit and answer creates no second secret', async (t) => {
  const cwd = t.testdir({ 'kill.mjs': killBeforeAnswer })
  const start = () => spawnServer(t, { cwd, env, nodeArgs: ['--import', `${cwd}/kill.mjs`] })
  const keys = Array.from({ length: 4 }, () => randomUUID())
  let server = await start()
  const caller = server.firstStart!
  for (const [at, key] of keys.entries()) {
    await t.rejects(create(server, caller, key), 'no answer')
    t.equal(await server.ended, 'SIGKILL')
    server = await start()
    const committed = await labels(server, caller)
    t.strictSame(committed, keys.slice(0, at + 1).sort(), 'the secret was committed')
    const replay = await create(server, caller, key)
    t.match(replay, { status: 201, isReplayed: true })
    t.equal((await create(server, caller, key)).body, replay.body)
  }
  t.strictSame(await labels(server, caller), [...keys].sort(), 'and no second one of any')
})
