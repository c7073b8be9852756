import { join } from 'node:path'
import {
  createAccessToken,
  openSecret,
  purgeExpired,
  retireKey,
  revokeAccessToken,
  rotateKeys,
  secretLifetimeMicros,
  shareDraft,
} from '@sotto/core'
import { apiRoutes, linkRoutes } from '@sotto/http-fastify'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { backUpInstallation, restoreInstallation } from '../../src/backups.ts'
import type { InstallationOptions } from '../../src/installation.ts'
import { findFreePort, startServer } from '../../src/server.ts'
import { flyEverywhere, hatchCanaries, needlesOf, type Canaries, type Flight } from './support/canaries.ts'
import { plainCrypto } from './support/plain-crypto.ts'
import { hitsIn, hitsInText, type Needles } from './support/search.ts'
import { withRaw } from './support/sqlite.ts'
import {
  addCast,
  addDraft,
  addSecret,
  cheapCrypto,
  createTestClock,
  filesIn,
  okOf,
  startWorld,
  type World,
} from './support/world.ts'

type CreateCrypto = NonNullable<InstallationOptions['standIns']>['createCrypto']

/** What was found after each station of a life, and in the log of all of it. */
interface Life {
  readonly hits: Readonly<Record<string, readonly string[]>>
  readonly logHits: readonly string[]
  readonly statuses: ReadonlyMap<number, number>
}

/** Everything that can happen to what is confided, with a look into every file after each station. */
async function leadALife(t: Test, createCrypto: CreateCrypto): Promise<Life> {
  const cwd = t.testdir()
  const clock = createTestClock()
  const world = await startWorld(t, cwd, { standIns: { clock, ...(createCrypto && { createCrypto }) } })
  const { installation } = world
  const { ports, rotation, settings, erasure } = installation
  const canaries = hatchCanaries()
  const { email, folderLabel: folder, tokenName, label, note, password } = canaries
  const cast = await addCast(installation, { email, folder, token: tokenName })
  const { accountId, folderId } = cast
  const dead = await okOf(createAccessToken(ports, { accountId, name: tokenName }))
  await okOf(revokeAccessToken(ports, { accountId, id: dead.id }))

  const plain = await addSecret(installation, cast, { label, note })
  const single = await addSecret(installation, cast, {
    label,
    note: note.repeat(500),
    openLimit: 1,
    password,
  })
  const draft = await addDraft(installation, cast, { label, note, password })
  const shared = await okOf(shareDraft(ports, { accountId, id: draft.id }))
  await addDraft(installation, cast, { label, note })
  const tokens = [plain, single, shared].map(({ link }) => link.token)
  const needles = needlesOf(canaries, [cast.token, dead.token], tokens)

  const hits: Record<string, readonly string[]> = {}
  const look = (station: string): void => void (hits[station] = hitsIn(filesIn(cwd), needles))
  look('created')
  erasure.finish()
  look('created, log emptied')
  await okOf(openSecret(ports, { token: single.link.token, password }))
  look('opened')
  const port = Number(new URL(world.baseUrl).port)
  const flight = { port, canaries, accessToken: cast.token, deadToken: dead.token, folderId }
  const statuses = new Map(
    await flyEverywhere({ ...flight, secretId: plain.id, linkToken: shared.link.token }),
  )
  look('called')
  const onProgress = (): void => look('while a backup is made')
  await okOf(backUpInstallation({ settings, file: join(cwd, 'one.backup'), clock, onProgress }))
  look('backed up')
  const elsewhere = { ...settings, dataDir: join(cwd, 'elsewhere') }
  const asItWas = { keepLimited: true, keepTokens: true, clock }
  const lookAgain = (): void => look('while a backup is restored')
  const file = join(cwd, 'one.backup')
  await okOf(restoreInstallation({ settings: elsewhere, file, ...asItWas, onProgress: lookAgain }))
  look('restored')
  await okOf(rotateKeys(rotation))
  await okOf(retireKey(rotation, { kid: 1 }))
  look('rotated')
  clock.pass(secretLifetimeMicros / 1_000)
  look('expired')
  clock.pass(11 * 60_000)
  await okOf(purgeExpired(ports))
  look('purged')
  await breakAndCall(
    world,
    cwd,
    async () => {
      const survivor = await addSecret(installation, cast, { label, note })
      return { ...flight, secretId: survivor.id, linkToken: survivor.link.token }
    },
    statuses,
  )
  look('broken')
  return { hits, logHits: hitsInText(world.log.join(''), needles), statuses }
}

/** Calls with a damaged row, and with a database that is closed: what fails within the server is logged. */
async function breakAndCall(
  world: World,
  cwd: string,
  prepare: () => Promise<Flight>,
  statuses: Map<number, number>,
): Promise<void> {
  const { installation } = world
  const flight = await prepare()
  withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) =>
    db.exec('UPDATE ciphertexts SET head = zeroblob(length(head))'),
  )
  const calls = [await flyEverywhere(flight)]
  calls.push(await callDefective(world, flight))
  await installation.close()
  calls.push(await flyEverywhere(flight))
  for (const [status, count] of calls.flatMap((each) => [...each]))
    statuses.set(status, (statuses.get(status) ?? 0) + count)
}

/** Calls with defects in the server whose messages quote what they were given. */
async function callDefective(
  { installation, log }: World,
  flight: Flight,
): Promise<ReadonlyMap<number, number>> {
  const { settings, ports } = installation
  const quote = (): never => {
    throw new TypeError(`cannot read ${JSON.stringify(flight)}`)
  }
  const port = await okOf(findFreePort('127.0.0.1'))
  const defective = {
    ...installation,
    settings: { ...settings, port },
    ports: {
      ...ports,
      secrets: { ...ports.secrets, find: quote, slice: quote, insert: quote },
      links: { find: quote, findWithNote: quote, update: quote },
    },
  }
  const logStream = { write: (line: string) => log.push(line) }
  const server = await okOf(startServer({ installation: defective, logStream, stopMillis: 200 }))
  try {
    return await flyEverywhere({ ...flight, port })
  } finally {
    await server.stop()
  }
}

t.test('nothing that is confided is in any file or in the log, whatever happens to it', async (t) => {
  const { hits, logHits, statuses } = await leadALife(t, cheapCrypto)
  t.equal(Object.keys(hits).length, 12)
  for (const [station, found] of Object.entries(hits)) t.strictSame(found, [], station)
  t.strictSame(logHits, [])
  for (const status of [200, 201, 400, 401, 403, 404, 405, 413, 414, 415, 431, 500, 503])
    t.ok(statuses.has(status), `a call was answered with ${status}: ${[...statuses.keys()].sort().join(' ')}`)
})

t.test('without encryption the same life leaves everything behind', async (t) => {
  const { hits } = await leadALife(t, plainCrypto)
  const found = new Set(Object.values(hits).flat())
  const kinds = [
    'email',
    'tokenName',
    'folderLabel',
    'label',
    'note',
    'password',
    'link token 0',
    'link token 0, raw',
  ]
  for (const kind of [...kinds, 'access token 0, a part'])
    for (const file of ['sotto.sqlite', 'sotto.sqlite-wal', 'one.backup'])
      t.ok(found.has(`${kind} in ${file}`), `${kind} in ${file}`)
})

t.test('a log that tells of requests as logs do tells everything', async (t) => {
  const world = await startWorld(t, t.testdir(), { standIns: { createCrypto: cheapCrypto } })
  const { ports } = world.installation
  const canaries = hatchCanaries()
  const cast = await addCast(world.installation)
  const secret = await addSecret(world.installation, cast, canaries)
  const port = await okOf(findFreePort('127.0.0.1'))
  const lines: string[] = []
  const logger = { level: 'trace', stream: { write: (line: string) => lines.push(line) } }
  const app = Fastify({ logger })
  app.addHook('preHandler', (request, _reply, done) => {
    request.log.trace({ headers: request.headers, body: String(request.body) })
    done()
  })
  const origins = { baseUrl: world.baseUrl, linkBaseUrl: world.baseUrl }
  await app.register(apiRoutes, { prefix: '/api', ports, ...origins })
  await app.register(linkRoutes, { ports, ...origins })
  await app.listen({ host: '127.0.0.1', port })
  t.teardown(() => app.close())
  const { token, folderId } = cast
  const linkToken = secret.link.token
  await flyEverywhere({
    port,
    canaries,
    accessToken: token,
    deadToken: 'x',
    folderId,
    secretId: secret.id,
    linkToken,
  })
  const { label, note, password } = canaries
  const needles: Needles = needlesOf({ label, note, password } as Canaries, [token], [linkToken])
  const found = hitsInText(lines.join(''), needles)
  for (const kind of ['label', 'note', 'password', 'access token 0', 'link token 0'])
    t.ok(found.includes(kind), kind)
})
