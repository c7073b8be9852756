import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { secretLifetimeMicros } from '@sotto/core'
import { createManualClock, expectOk, noonMicros } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { addDraftWithFiles, addSecretWithFiles, openLink } from '../support/files.ts'
import {
  addDraft,
  addOwner,
  addSecret,
  cheapCrypto,
  startTestServer,
  type TestServer,
} from '../support/installation.ts'
import { openRaw, rowIn, rowsIn } from '../support/raw-sqlite.ts'
import { filesIn } from '../support/tree.ts'
import { survivorsIn, type Needles } from './support/search.ts'

/** The promise: how long after erased data is gone from every file. */
const promisedMillis = 60_000

async function stage(t: Test) {
  const cwd = t.testdir()
  const clock = createManualClock(noonMicros)
  const server = await startTestServer(t, cwd, { replace: { clock, createCrypto: cheapCrypto } })
  const { installation } = server
  const owner = await addOwner(installation)
  const data = join(cwd, 'data')
  /** The ciphertexts of a secret, as they are stored now. */
  const ciphertextsOf = (name: string, id: string): Needles => {
    const hex = id.replaceAll('-', '')
    const row = rowIn<{ head: Buffer; wrap: Buffer; note: Buffer }>(
      join(data, 'sotto.sqlite'),
      `SELECT c.head, c.wrap, coalesce(n.note, c.note) AS note
       FROM secrets s JOIN ciphertexts c USING (nr) LEFT JOIN long_notes n USING (nr) WHERE s.id = x'${hex}'`,
    )
    return Object.fromEntries(Object.entries(row).map(([column, bytes]) => [`${column} of ${name}`, bytes]))
  }
  return { clock, server, installation, sotto: installation.sotto, owner, data, ciphertextsOf }
}

/** The ciphertexts of an account's name, of its folders' labels and of its tokens' names. */
function textsOf(data: string, accountId: string): Needles {
  const account = `x'${accountId.replaceAll('-', '')}'`
  const rows = rowsIn<{ name: string; text: Buffer }>(
    join(data, 'sotto.sqlite'),
    `SELECT 'name of account' AS name, text FROM texts JOIN accounts ON nr = name_nr WHERE id = ${account}
     UNION ALL SELECT 'label of folder', text FROM texts JOIN folders ON nr = label_nr WHERE account_id = ${account}
     UNION ALL SELECT 'name of token', text FROM texts JOIN access_tokens ON nr = name_nr WHERE account_id = ${account}`,
  )
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]))
}

/** Waits until the server has finished erasing, which it does by itself. Returns how long that took, in milliseconds. */
async function untilErased({ installation }: TestServer): Promise<number> {
  const { erasure } = installation.storage
  const began = performance.now()
  while (erasure.pendingForMillis() !== undefined && performance.now() - began < promisedMillis)
    await pause(20)
  return performance.now() - began
}

/** The names of what is not gone yet, without the files that contain it. */
const left = (data: string, needles: Needles) => [
  ...new Set(survivorsIn(data, needles).map((hit) => hit.replace(/ in .*/, ''))),
]

// Promise (Sealed at rest): Erased data is in no file after a minute
t.test('what was opened, deleted or swept is in no file within the promised time', async (t) => {
  const { clock, server, installation, sotto, owner, data, ciphertextsOf } = await stage(t)
  const { accountId } = owner
  const expiring = await addSecret(installation, owner, { note: 'x'.repeat(30_000) })
  const single = await addSecret(installation, owner, { openLimit: 1, password: 'pass' })
  const draft = await addDraft(installation, owner, { note: 'y'.repeat(5_000) })
  const other = await addDraft(installation, owner)
  const rows = { expiring, single, draft, other }
  const needles = Object.assign(
    {},
    ...Object.entries(rows).map(([name, { id }]) => ciphertextsOf(name, id)),
  ) as Needles
  t.equal(left(data, needles).length, 12, 'at first all of it is found')

  // Nothing leaves the write-ahead log before it is searched.
  const reader = openRaw(join(data, 'sotto.sqlite'))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM secrets').get()
  expectOk(await sotto.openSecret({ token: single.link.token, password: 'pass' }))
  expectOk(await sotto.deleteDraft({ accountId, id: draft.id }))
  clock.advance(secretLifetimeMicros + 11 * 60_000_000)
  const before = left(data, needles)
  reader.close()
  t.ok(
    before.includes('note of single') && before.includes('note of draft'),
    'it is found until the write-ahead log is emptied',
  )
  t.equal(expectOk(await sotto.sweepExpired()).secrets, 2)
  const millis = await untilErased(server)
  t.ok(millis < promisedMillis, `it took ${Math.round(millis)} ms`)
  t.strictSame(left(data, needles).sort(), ['head of other', 'note of other', 'wrap of other'])
})

// Promise (The owner's pages): Data that an owner destroys, deletes or edits is in no file after a minute
t.test('what an owner destroys, deletes or edits is in no file within the promised time', async (t) => {
  const { server, installation, sotto, owner, data, ciphertextsOf } = await stage(t)
  const { accountId, folderId } = owner
  const names = { email: 'bob@example.org', folder: 'Cellar', token: 'phone' }
  const leaver = await addOwner(installation, names)
  const note = 'z'.repeat(30_000)
  const destroyed = await addSecret(installation, owner, { note })
  const edited = await addDraft(installation, owner, { note: 'y'.repeat(900) })
  const [leaversSecret, leaversDraft] = [
    await addSecret(installation, leaver),
    await addDraft(installation, leaver, { note }),
  ]
  const other = await addSecret(installation, owner)
  const rows = { destroyed, edited, leaversSecret, leaversDraft }
  const ciphertexts = Object.entries(rows).map(([name, { id }]) => ciphertextsOf(name, id))
  const needles = Object.assign({}, ...ciphertexts, textsOf(data, leaver.accountId)) as Needles
  t.equal(left(data, needles).length, 15, 'at first all of it is found')

  expectOk(await sotto.destroySecret({ accountId, id: destroyed.id }))
  const content = { note: 'new' }
  expectOk(await sotto.editDraft({ accountId, folderId, id: edited.id, label: 'new', content }))
  expectOk(await sotto.deleteAccount({ accountId: leaver.accountId }))
  const millis = await untilErased(server)
  t.ok(millis < promisedMillis, `it took ${Math.round(millis)} ms`)
  t.strictSame(left(data, needles), [])
  t.equal(left(data, ciphertextsOf('other', other.id)).length, 3, 'another secret is still there')
})

// Promise (Sealed at rest): Erased data is in no file after a minute: the contents, names, keys and tickets of files, once they were swept
t.test('files that were spent or deleted are in no file after the sweep', async (t) => {
  const { clock, server, installation, sotto, owner, data, ciphertextsOf } = await stage(t)
  const files = [{ name: 'a.pdf', content: Buffer.alloc(20_000, 7) }]
  const spent = await addSecretWithFiles(installation, owner, files, { openLimit: 1 })
  const destroyed = await addSecretWithFiles(installation, owner, files)
  const draft = await addDraftWithFiles(installation, owner, files)
  const other = await addSecretWithFiles(installation, owner, files)
  const { attached } = await openLink(installation, spent)
  await openLink(installation, destroyed)
  const found = { spent, destroyed, draft }
  const needles: Needles = {
    ...Object.fromEntries(
      Object.entries(found).flatMap(([name, { id }]) =>
        Object.entries(filesOf(data, id)).map(([part, bytes]) => [`${part} of ${name}`, bytes]),
      ),
    ),
    ...ciphertextsOf('draft', draft.id),
  }
  t.equal(left(data, needles).length, 2 * 3 + 2 + 3, 'at first all of it is found')
  t.ok(attached)

  const { accountId } = owner
  expectOk(await sotto.destroySecret({ accountId, id: destroyed.id }))
  expectOk(await sotto.deleteDraft({ accountId, id: draft.id }))
  clock.advance(3_600_000_000)
  expectOk(await sotto.sweepExpired())
  t.match(expectOk(await sotto.sweepFiles()), { files: 3 })
  const millis = await untilErased(server)
  t.ok(millis < promisedMillis, `it took ${Math.round(millis)} ms`)
  t.strictSame(left(data, needles), [])
  t.equal(left(data, filesOf(data, other.id)).length, 2, 'another file is still there')
})

/** What is stored of the files of a secret: contents, names, and tickets. */
function filesOf(data: string, secretId: string): Needles {
  const database = join(data, 'sotto.sqlite')
  const secret = `x'${secretId.replaceAll('-', '')}'`
  const files = rowsIn<{ id: Buffer; about: Buffer }>(
    database,
    `SELECT f.id, text AS about FROM files f JOIN texts ON texts.nr = about_nr WHERE secret_id = ${secret}`,
  )
  const tickets = rowsIn<{ sealed: Buffer }>(
    database,
    `SELECT sealed FROM file_tickets WHERE secret_id = ${secret}`,
  )
  return Object.fromEntries([
    ...files.map(({ about }) => ['about', about] as const),
    ...files.map(({ id }) => ['content', contentOf(data, id.toString('hex'))] as const),
    ...tickets.map(({ sealed }) => ['ticket', sealed] as const),
  ])
}

function contentOf(data: string, hex: string): Buffer {
  const path = filesIn(join(data, 'files')).find((each) => basename(each).replaceAll('-', '') === hex)
  return path === undefined ? Buffer.alloc(0) : readFileSync(path)
}

// Promise (Sealed at rest): Erased data is in no file after a minute: also while a list is read slowly
t.test('it is gone also while a client reads a list as slowly as possible', async (t) => {
  const { server, installation, sotto, owner, data, ciphertextsOf } = await stage(t)
  await Promise.all(
    Array.from({ length: 3_000 }, (_, at) => addSecret(installation, owner, { label: `${at}`.repeat(60) })),
  )
  const single = await addSecret(installation, owner, { openLimit: 1 })
  const { 'head of it': head, ...noteAndWrap } = ciphertextsOf('it', single.id)
  t.ok(head)
  const list = await readSlowly(server, owner.token)
  const reading = performance.now()
  expectOk(await sotto.openSecret({ token: single.link.token }))
  const millis = await untilErased(server)
  t.ok(millis < promisedMillis, `it took ${Math.round(millis)} ms`)
  t.strictSame(survivorsIn(data, noteAndWrap), [])
  t.notOk(list.complete, `the list was still being read, for ${Math.round(performance.now() - reading)} ms`)
  const received = await readToTheEnd(list)
  t.equal((JSON.parse(received) as { data: object[] }).data.length, 3_001)
})

t.test('a row that was shared, or moved to another key, leaves nothing of its old ciphertexts', async (t) => {
  const { server, installation, sotto, owner, data, ciphertextsOf } = await stage(t)
  const draft = await addDraft(installation, owner)
  const secret = await addSecret(installation, owner)
  const { 'note of secret': note, ...ofSecret } = ciphertextsOf('secret', secret.id)
  const { 'note of draft': _, ...ofDraft } = ciphertextsOf('draft', draft.id)
  expectOk(await sotto.shareDraft({ accountId: owner.accountId, id: draft.id }))
  expectOk(await installation.sotto.rotateKeys())
  await untilErased(server)
  t.strictSame(survivorsIn(data, { ...ofSecret, ...ofDraft }), [])
  t.ok(survivorsIn(data, { note: note! }).length > 0, 'the ciphertext of the note stays')
})

t.test('while a checkpoint is prevented, erased data is found', async (t) => {
  const { server, installation, sotto, owner, data, ciphertextsOf } = await stage(t)
  const draft = await addDraft(installation, owner)
  const needles = ciphertextsOf('draft', draft.id)
  const reader = openRaw(join(data, 'sotto.sqlite'))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM secrets').get()
  expectOk(await sotto.deleteDraft({ accountId: owner.accountId, id: draft.id }))
  t.equal(installation.storage.erasure.finish(), false)
  t.equal(left(data, needles).length, 3)
  t.ok((installation.storage.erasure.pendingForMillis() ?? 0) > 0)
  reader.exec('COMMIT')
  reader.close()
  await untilErased(server)
  t.strictSame(left(data, needles), [])
})

/** Requests the list of secrets and reads only its beginning. */
async function readSlowly({ baseUrl }: TestServer, token: string): Promise<IncomingMessage> {
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
