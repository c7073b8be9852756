import { claimOpen, openTimesMax, type LinkNotFound, type LinkRecord, type LinkStore } from '@sotto/core'
import { expectErr, expectOk, linkRecordOf, noonMicros } from '@sotto/test-kit'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import pg from 'pg'
import { after, test, type Test } from 'tap'
import type { Database } from '../../src/connection/database.ts'
import type { Statement } from '../../src/connection/sql.ts'
import { createKnownLinks } from '../../src/secrets/known-links.ts'
import { createLinks } from '../../src/secrets/links.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { openDatabase, watched } from '../support/raw.ts'
import { addSampleLink } from '../support/sample-link.ts'

const databases = await startDatabases()
after(() => databases.stop())

/** A storage on an empty database, and the same database without stores; both are closed when the test ends. */
async function openBoth(t: Test, take = () => databases.take()) {
  const { url, giveBack } = await take()
  const [storage, raw] = [await openStorage(url), openDatabase(url)]
  t.teardown(async () => {
    await Promise.all([storage.close(), raw.close()])
    giveBack()
  })
  return { url, storage, raw }
}

/** A database that no later test uses. */
async function takeForever() {
  return { url: await databases.server.newDatabase(), giveBack: () => undefined }
}

/** Sends one command to a database on a connection of its own. */
async function send<Row extends unknown[]>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>({ text, values, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

const limit = 60
const claim = (record: LinkRecord) =>
  claimOpen(record, { attemptId: undefined, nowMicros: noonMicros, eventId: undefined })

/** How many of 200 callers, half of them on each of two stores, open a link. */
async function openedBy(stores: readonly LinkStore[], lookup: Uint8Array): Promise<number> {
  const claims = await Promise.all(
    stores.flatMap((links) => Array.from({ length: 100 }, () => links.update(lookup, undefined, claim))),
  )
  for (const each of claims) if (each.isErr()) expectErr(each, 'link_not_found')
  return claims.filter((each) => each.isOk()).length
}

/** Two stores of which neither writes before the other one has read. */
function rivals(
  t: Test,
  url: string,
  change: (text: string) => string = (text) => text,
): readonly LinkStore[] {
  const { promise: met, resolve: meet } = Promise.withResolvers<undefined>()
  let writing = 0
  const before = async ({ name, text }: Statement): Promise<Statement> => {
    if (!text.startsWith('UPDATE')) return { name, text }
    writing += 1
    if (writing === 2) meet(undefined)
    await met
    return { name, text: change(text) }
  }
  return [1, 2].map(() => {
    const raw = openDatabase(url)
    t.teardown(() => raw.close())
    return createLinks(watched(raw, before))
  })
}

test('of 200 simultaneous callers on two storages exactly as many open a link as its limit', async (t) => {
  const { url, storage } = await openBoth(t)
  const { secret } = await addSampleLink(storage, { openLimit: limit })
  t.equal(await openedBy(rivals(t, url), secret.link.lookup), limit)
  t.equal((await linkRecordOf(storage, secret.link.lookup))?.state.opens, limit)
})

test('without comparing versions more callers open it, so the test above can fail', async (t) => {
  const { url, storage } = await openBoth(t)
  const { secret } = await addSampleLink(storage, { openLimit: limit })
  const careless = rivals(t, url, (text) => text.replace('s.version = v.version AND', ''))
  t.equal(await openedBy(careless, secret.link.lookup), 2 * limit)
})

test('callers of one link decide in the order of their arrival, each on what those before it left', async (t) => {
  const { storage, raw } = await openBoth(t)
  const { secret, make } = await addSampleLink(storage)
  const { lookup } = secret.link
  let writes = 0
  const links = createLinks(
    watched(raw, (statement) => {
      if (statement.text.startsWith('UPDATE')) writes += 1
      return statement
    }),
  )
  const seen: LinkRecord['state'][] = []
  const formId = make.formId()
  const refuse = (): Result<never, { code: 'no' }> => err({ code: 'no' })
  const open = ({ state }: LinkRecord) => {
    seen.push(state)
    return ok({ opens: state.opens + 1, rememberForm: true, destroyNote: state.opens === 1 })
  }
  const answers = await Promise.all([
    links.update(lookup, formId, open),
    links.update(lookup, undefined, refuse),
    links.update(lookup, make.formId(), () => {
      throw new RangeError('a confidential text')
    }),
    links.update(lookup, formId, open),
    links.update(lookup, make.formId(), open),
  ])
  const [first, refused, thrown, second, third] = answers
  t.same(
    [first, second, third].map((answer) => expectOk(answer).opens),
    [1, 2, 3],
  )
  t.same(expectErr(refused), { code: 'no' })
  t.match(expectErr(thrown), { code: 'storage_failed', detail: /^RangeError/ })
  t.notMatch(JSON.stringify(thrown), 'confidential')
  t.same(
    seen.map(({ opens, hasNote, formUsed }) => [opens, hasNote, formUsed]),
    [
      [0, true, false],
      [1, true, true],
      [2, false, false],
    ],
  )
  t.equal(writes, 1, 'one statement wrote what five callers decided')
  t.match((await linkRecordOf(storage, lookup))?.state, { opens: 3, hasNote: false })
})

test('a caller is not refused before the open is durable for which it is refused', async (t) => {
  const { storage, raw } = await openBoth(t)
  const { secret } = await addSampleLink(storage, { openLimit: 1 })
  const { promise: sent, resolve: onSent } = Promise.withResolvers<undefined>()
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
  const links = createLinks(
    watched(raw, async (statement) => {
      if (!statement.text.startsWith('UPDATE')) return statement
      onSent(undefined)
      await released
      return statement
    }),
  )
  const answered: string[] = []
  const calls = ['first', 'second'].map(async (name) => {
    const answer = await links.update(secret.link.lookup, undefined, claim)
    answered.push(name)
    return answer
  })
  await sent
  t.same(answered, [])
  release(undefined)
  const [first, second] = await Promise.all(calls)
  t.equal(first && expectOk(first).opens, 1)
  t.equal(second && expectErr(second).code, 'link_not_found')
})

test('a link that others change before each write is given up as busy, and the others of its batch are written', async (t) => {
  const { url, storage, raw } = await openBoth(t)
  const { secret: hot, make, folder } = await addSampleLink(storage)
  const calm = make.secret(folder)
  expectOk(await storage.secrets.insert(calm, make.note()))
  const links = createLinks(
    watched(raw, async (statement) => {
      if (statement.text.startsWith('UPDATE'))
        await send(url, 'UPDATE secrets SET version = version + 1 WHERE id = $1', [hot.id])
      return statement
    }),
    { retryMillis: 50 },
  )
  const answers = await Promise.all(
    [hot, calm].map(({ link }) => links.update(link.lookup, undefined, claim)),
  )
  const [busy, written] = answers
  t.same(busy && expectErr(busy), { code: 'storage_unavailable', reason: 'busy' })
  t.equal(written && expectOk(written).opens, 1)
  t.equal((await linkRecordOf(storage, hot.link.lookup))?.state.opens, 0)
})

test('a link that cannot be written takes none of its batch with it', async (t) => {
  const { storage } = await openBoth(t)
  const { secret: broken, make, folder } = await addSampleLink(storage)
  const sound = make.secret(folder)
  expectOk(await storage.secrets.insert(sound, make.note()))
  const [failed, written] = await Promise.all([
    storage.links.update(broken.link.lookup, undefined, () => ok({ opens: -1 })),
    storage.links.update(sound.link.lookup, undefined, claim),
  ])
  t.match(expectErr(failed), { code: 'storage_failed', detail: /^23514 secrets/ })
  t.equal(expectOk(written).opens, 1)
})

for (const pipeline of [true, false]) {
  test(`a change, its form and its events are stored together or not at all, pipelined: ${pipeline}`, async (t) => {
    const { url, giveBack } = await databases.take()
    const storage = await openStorage(url, { pipeline })
    const { secret, make } = await addSampleLink(storage)
    const { lookup } = secret.link
    const [first, second] = [make.event(secret.accountId), make.event(secret.accountId)]
    const formId = make.formId()
    expectOk(await storage.links.update(lookup, undefined, () => ok({ opens: 1, events: [first] })))
    t.same(expectOk(await storage.outbox.page(undefined, 10)), [first])
    const repeated = { opens: 2, rememberForm: true, events: [second, first] }
    t.match(expectErr(await storage.links.update(lookup, formId, () => ok(repeated))), {
      code: 'storage_failed',
      detail: /^23505 outbox/,
    })
    t.equal((await linkRecordOf(storage, lookup))?.state.opens, 1)
    t.same(expectOk(await storage.outbox.page(undefined, 10)), [first])
    t.same(await send(url, 'SELECT form_id FROM opened_forms'), [])
    await storage.close()
    giveBack()
  })
}

test('when the connection breaks during the write, who opened learns that the outcome is not known', async (t) => {
  // The connections that are kept with a database for later tests would be ended, too.
  const { url, storage, raw } = await openBoth(t, takeForever)
  const { secret } = await addSampleLink(storage)
  const links = createLinks(
    watched(raw, async (statement) => {
      if (statement.text.startsWith('UPDATE')) {
        await send(
          url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'sotto%'`,
        )
      }
      return statement
    }),
  )
  const { lookup } = secret.link
  const [opened, refused] = await Promise.all([
    links.update(lookup, undefined, claim),
    links.update(lookup, undefined, (): Result<never, LinkNotFound> => err({ code: 'link_not_found' })),
  ])
  t.same(expectErr(opened), { code: 'storage_unavailable', reason: 'outcome_unknown' })
  t.same(expectErr(refused), { code: 'storage_unavailable', reason: 'busy' })
})

test('the latest times of opens remain, also of those that one statement writes', async (t) => {
  const { storage } = await openBoth(t)
  const { secret } = await addSampleLink(storage)
  const { accountId, id, link } = secret
  const open = (at: number) =>
    storage.links.update(link.lookup, undefined, ({ state }) =>
      ok({ opens: state.opens + 1, openedAtMicros: at }),
    )
  const times = Array.from({ length: 3 * openTimesMax }, (_, at) => noonMicros + at)
  for (const at of times.slice(0, 5)) expectOk(await open(at))
  expectOk(await ResultAsync.combine(times.slice(5).map(open)))
  const activity = expectOk(await storage.secrets.activity(accountId, id))
  t.same(activity?.openedAtMicros, times.slice(-openTimesMax))
})

/** A store, and the names of the statements that it sends. */
function recording(raw: Database) {
  const sent: string[] = []
  const links = createLinks(
    watched(raw, (statement) => {
      sent.push(statement.name)
      return statement
    }),
    // What is known is not forgotten while a test is held up.
    { known: createKnownLinks(() => 0) },
  )
  const find = (lookup: Uint8Array) =>
    links.findWithNote(lookup, { nowMicros: noonMicros, evenWithPassword: false })
  return { sent, links, find }
}

test('a link that was found or written a moment ago is not read again before it is written', async (t) => {
  const { storage, raw } = await openBoth(t)
  const { secret } = await addSampleLink(storage, { openLimit: 3 })
  const { lookup } = secret.link
  const { sent, links, find } = recording(raw)
  expectOk(await find(lookup))
  for (const opens of [1, 2, 3]) t.equal(expectOk(await links.update(lookup, undefined, claim)).opens, opens)
  t.same(sent, ['links_find_with_note', 'links_update_one', 'links_update_one', 'links_update_one'])
  t.match((await linkRecordOf(storage, lookup))?.state, { opens: 3, hasNote: false })
})

/** A link that was found a moment ago. */
async function findLink(t: Test) {
  const { storage, raw } = await openBoth(t)
  const { secret } = await addSampleLink(storage)
  const { lookup } = secret.link
  const { sent, links, find } = recording(raw)
  expectOk(await find(lookup))
  return { storage, lookup, sent, links }
}

test('nobody is refused because of what was known of a link: it is read again', async (t) => {
  const { storage, lookup, sent, links } = await findLink(t)
  // Another process has opened it.
  expectOk(await storage.links.update(lookup, undefined, claim))
  const seen: number[] = []
  const refuse = ({ state }: LinkRecord): Result<never, LinkNotFound> => {
    seen.push(state.opens)
    return err({ code: 'link_not_found' })
  }
  t.same(expectErr(await links.update(lookup, undefined, refuse)), { code: 'link_not_found' })
  t.same(seen, [0, 1])
  t.same(sent, ['links_find_with_note', 'links_find_many'])
})

test('what was decided on an old version of a link is decided again on what it is now', async (t) => {
  const { storage, lookup, sent, links } = await findLink(t)
  expectOk(await storage.links.update(lookup, undefined, claim))
  t.equal(expectOk(await links.update(lookup, undefined, claim)).opens, 2)
  t.same(sent, ['links_find_with_note', 'links_update_one', 'links_find_many', 'links_update_one'])
  t.equal((await linkRecordOf(storage, lookup))?.state.opens, 2)
})

test('who names a form reads whether it was used, though the link is known', async (t) => {
  const { storage, raw } = await openBoth(t)
  const { secret, make } = await addSampleLink(storage)
  const { lookup } = secret.link
  const { sent, links, find } = recording(raw)
  const formId = make.formId()
  const once = ({ state }: LinkRecord): Result<{ opens: number; rememberForm: true }, LinkNotFound> =>
    state.formUsed ? err({ code: 'link_not_found' }) : ok({ opens: state.opens + 1, rememberForm: true })
  expectOk(await find(lookup))
  expectOk(await links.update(lookup, formId, once))
  t.same(expectErr(await links.update(lookup, formId, once)), { code: 'link_not_found' })
  t.same(sent.filter((name) => name === 'links_find_many').length, 2)
})

test('callers who ask for one link in one statement each keep to their own time and get the note that they ask for', async (t) => {
  const { storage, raw } = await openBoth(t)
  const { secret, note, make } = await addSampleLink(storage, { hasPassword: true })
  const { lookup, expiresAtMicros } = secret.link
  const sent: string[] = []
  const links = createLinks(
    watched(raw, (statement) => {
      sent.push(statement.name)
      return statement
    }),
  )
  const times = [expiresAtMicros, expiresAtMicros - 1, expiresAtMicros + 1]
  const found = await Promise.all([
    ...times.map((nowMicros) => links.find(lookup, nowMicros)),
    links.find(make.bytes(32), noonMicros),
  ])
  t.same(
    found.map((each) => expectOk(each)?.secret.id),
    [undefined, secret.id, undefined, undefined],
  )
  const nowMicros = expiresAtMicros - 1
  const [without, withNote] = await Promise.all(
    [false, true].map((evenWithPassword) => links.findWithNote(lookup, { nowMicros, evenWithPassword })),
  )
  t.same(without && expectOk(without)?.note, undefined)
  t.same(withNote && Buffer.from(expectOk(withNote)?.note?.note ?? []), Buffer.from(note.note))
  t.same(sent, ['links_find', 'links_find_with_note'])
})

test('to find nothing reads the same rows, whatever the cause', async (t) => {
  const { url, storage, raw } = await openBoth(t)
  const { secret: live, make, folder } = await addSampleLink(storage)
  const [expired, destroyed] = [
    make.secret(folder, noonMicros, { link: make.link(0, 1) }),
    make.secret(folder),
  ]
  for (const each of [expired, destroyed]) expectOk(await storage.secrets.insert(each, make.note()))
  expectOk(await storage.links.update(destroyed.link.lookup, undefined, () => ok({ destroyNote: true })))
  // So many rows that the server uses the indexes.
  await send(
    url,
    `INSERT INTO secrets (id, account_id, folder_id, created_at, notify, has_password, kid, head)
     SELECT ('019b0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, account_id, folder_id, created_at, notify, has_password, kid, head
     FROM secrets, generate_series(1, 3000) n WHERE id = $1`,
    [live.id],
  )
  await send(url, 'VACUUM ANALYZE')
  const pages = (lookup: Uint8Array) => pagesRead(url, raw, { warmUp: live.link.lookup, lookup })
  const unknown = await pages(make.bytes(32))
  t.ok(unknown > 3, `${unknown} pages are read for an unknown one`)
  // The search for the lookup looks at the row that it finds.
  const dead = unknown + 1
  t.equal(await pages(expired.link.lookup), dead, 'an expired one')
  t.equal(await pages(destroyed.link.lookup), dead, 'one without its note')
  expectOk(await storage.accounts.beginErasure(folder.accountId))
  // Without the versions of the account's row that are not the latest.
  await send(url, 'VACUUM ANALYZE')
  t.equal(await pages(live.link.lookup), dead, 'one of an account that is being erased')
})

/** How many pages the statement of `find` reads for a lookup, after it has found another one. */
async function pagesRead(
  url: string,
  db: Database,
  { warmUp, lookup }: { readonly warmUp: Uint8Array; readonly lookup: Uint8Array },
): Promise<number> {
  let text = ''
  const links = createLinks(
    watched(db, (statement) => {
      text = statement.text
      return statement
    }),
  )
  expectOk(await links.find(warmUp, noonMicros))
  const [standIn] = await send<[string]>(url, 'SELECT id FROM secrets WHERE lookup = $1', [warmUp])
  const [row] = await send<[[{ Plan: Record<string, number> }]]>(
    url,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [standIn?.[0], [lookup], [noonMicros]],
  )
  const plan = row?.[0][0].Plan ?? {}
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}
