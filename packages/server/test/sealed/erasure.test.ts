import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  deleteDraft,
  openSecret,
  purgeExpired,
  rotateKeys,
  secretLifetimeMicros,
  shareDraft,
} from '@sotto/core'
import t, { type Test } from 'tap'
import { survivorsIn, type Needles } from './support/search.ts'
import { openRaw, rowIn } from './support/sqlite.ts'
import {
  addCast,
  addDraft,
  addSecret,
  createTestClock,
  cheapCrypto,
  okOf,
  startWorld,
  type World,
} from './support/world.ts'

/** The promise: so long after it was erased nothing is in any file. */
const promisedMillis = 60_000

async function stage(t: Test) {
  const cwd = t.testdir()
  const clock = createTestClock()
  const world = await startWorld(t, cwd, { standIns: { clock, createCrypto: cheapCrypto } })
  const cast = await addCast(world.installation)
  const data = join(cwd, 'data')
  /** The ciphertexts of a secret, as they are kept now. */
  const ciphertextsOf = (name: string, id: string): Needles => {
    const hex = id.replaceAll('-', '')
    const row = rowIn<{ head: Buffer; wrap: Buffer; note: Buffer }>(
      join(data, 'sotto.sqlite'),
      `SELECT c.head, c.wrap, coalesce(n.note, c.note) AS note
       FROM secrets s JOIN ciphertexts c USING (nr) LEFT JOIN long_notes n USING (nr) WHERE s.id = x'${hex}'`,
    )
    return Object.fromEntries(Object.entries(row).map(([column, bytes]) => [`${column} of ${name}`, bytes]))
  }
  return { cwd, clock, world, cast, data, ciphertextsOf, ports: world.installation.ports }
}

/** Waits until the server has finished erasing by itself, and says how long that took, in milliseconds. */
async function untilErased({ installation: { erasure } }: World): Promise<number> {
  const began = performance.now()
  while (erasure.pendingForMillis() !== undefined && performance.now() - began < promisedMillis)
    await pause(20)
  return performance.now() - began
}

/** Names of what has not yet gone, without the files that it is in. */
const left = (data: string, needles: Needles) => [
  ...new Set(survivorsIn(data, needles).map((hit) => hit.replace(/ in .*/, ''))),
]

t.test('what was opened, deleted or purged is in no file within the time promised', async (t) => {
  const { clock, world, cast, data, ciphertextsOf, ports } = await stage(t)
  const { accountId } = cast
  const expiring = await addSecret(world.installation, cast, { note: 'x'.repeat(30_000) })
  const single = await addSecret(world.installation, cast, { openLimit: 1, password: 'pass' })
  const draft = await addDraft(world.installation, cast, { note: 'y'.repeat(5_000) })
  const kept = await addDraft(world.installation, cast)
  const rows = { expiring, single, draft, kept }
  const needles = Object.assign(
    {},
    ...Object.entries(rows).map(([name, { id }]) => ciphertextsOf(name, id)),
  ) as Needles
  t.equal(left(data, needles).length, 12, 'all of it is there at first, and found')

  await okOf(openSecret(ports, { token: single.link.token, password: 'pass' }))
  await okOf(deleteDraft(ports, { accountId, id: draft.id }))
  clock.pass(secretLifetimeMicros / 1_000 + 11 * 60_000)
  const before = left(data, needles)
  t.ok(
    before.includes('note of single') && before.includes('note of draft'),
    'until the log is emptied it is found',
  )
  t.equal((await okOf(purgeExpired(ports))).secrets, 2)
  const millis = await untilErased(world)
  t.ok(millis < promisedMillis, `it took ${Math.round(millis)} ms`)
  t.strictSame(left(data, needles).sort(), ['head of kept', 'note of kept', 'wrap of kept'])
})

t.test('it goes also while somebody reads a list as slowly as can be', async (t) => {
  const { world, cast, data, ciphertextsOf, ports } = await stage(t)
  await Promise.all(
    Array.from({ length: 3_000 }, (_, at) =>
      addSecret(world.installation, cast, { label: `${at}`.repeat(60) }),
    ),
  )
  const single = await addSecret(world.installation, cast, { openLimit: 1 })
  const { 'head of it': head, ...noteAndWrap } = ciphertextsOf('it', single.id)
  t.ok(head)
  const list = await readSlowly(world, cast.token)
  const reading = performance.now()
  await okOf(openSecret(ports, { token: single.link.token }))
  const millis = await untilErased(world)
  t.ok(millis < promisedMillis, `it took ${Math.round(millis)} ms`)
  t.strictSame(survivorsIn(data, noteAndWrap), [])
  t.notOk(
    list.complete,
    `the list was being read for ${Math.round(performance.now() - reading)} ms then, and was not at its end`,
  )
  const received = await readToTheEnd(list)
  t.equal((JSON.parse(received) as { data: object[] }).data.length, 3_001)
})

t.test('what was put under another key, or shared, leaves nothing of its old form', async (t) => {
  const { world, cast, data, ciphertextsOf, ports } = await stage(t)
  const draft = await addDraft(world.installation, cast)
  const secret = await addSecret(world.installation, cast)
  const { 'note of secret': note, ...ofSecret } = ciphertextsOf('secret', secret.id)
  const { 'note of draft': _, ...ofDraft } = ciphertextsOf('draft', draft.id)
  await okOf(shareDraft(ports, { accountId: cast.accountId, id: draft.id }))
  await okOf(rotateKeys(world.installation.rotation))
  await untilErased(world)
  t.strictSame(survivorsIn(data, { ...ofSecret, ...ofDraft }), [])
  t.ok(survivorsIn(data, { note: note! }).length > 0, 'the note itself stays as it was')
})

t.test('a checkpoint that cannot be made leaves it behind, and the search finds it', async (t) => {
  const { world, cast, data, ciphertextsOf, ports } = await stage(t)
  const draft = await addDraft(world.installation, cast)
  const needles = ciphertextsOf('draft', draft.id)
  const reader = openRaw(join(data, 'sotto.sqlite'))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM secrets').get()
  await okOf(deleteDraft(ports, { accountId: cast.accountId, id: draft.id }))
  t.equal(world.installation.erasure.finish(), false)
  t.equal(left(data, needles).length, 3)
  t.ok((world.installation.erasure.pendingForMillis() ?? 0) > 0)
  reader.exec('COMMIT')
  reader.close()
  await untilErased(world)
  t.strictSame(left(data, needles), [])
})

/** Asks for the list of secrets and takes no more than its beginning. */
async function readSlowly({ baseUrl }: World, token: string): Promise<IncomingMessage> {
  const asked = request(`${baseUrl}/api/secrets`, { headers: { authorization: `Bearer ${token}` } })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.pause()
  return response
}

async function readToTheEnd(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  return text
}
