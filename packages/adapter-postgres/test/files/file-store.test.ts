import { setTimeout } from 'node:timers/promises'
import { createManualClock, fileStoreContract, runContract } from '@sotto/test-kit'
import { err, ok } from 'neverthrow'
import { after, test, type Test } from 'tap'
import { createFileStore } from '../../src/files/file-store.ts'
import { startDatabases, type DatabaseUnderTest } from '../support/databases.ts'
import { openDatabase, watched } from '../support/raw.ts'
import { query, rowsOf } from '../support/server.ts'

const databases = await startDatabases()
after(() => databases.stop())

runContract(test, fileStoreContract, {
  supports: ['reopen'],
  open: async () => contentsOf(await databases.open()),
})

function contentsOf(storage: DatabaseUnderTest) {
  const open = [storage]
  return {
    files: storage.fileContents,
    async dispose() {
      for (const each of open.reverse()) await each.dispose()
    },
    async reopen() {
      const other = await storage.beside()
      open.push(other)
      return other.fileContents
    },
  }
}

const clock = createManualClock(1)
const id = '0192f3c4-0000-7000-8000-000000000001'

/** An empty database for as long as the test runs. */
async function openEmpty(t: Test, connectionsMax = 1) {
  const { url, giveBack } = await databases.take()
  const db = openDatabase(url, { connectionsMax })
  t.teardown(async () => {
    await db.close()
    giveBack()
  })
  return { url, db, files: createFileStore(db, clock) }
}

async function* pieces(...lengths: readonly number[]) {
  for (const length of lengths) yield await Promise.resolve(ok(Buffer.alloc(length, 7)))
}

// Promise (Files): A sender or a reader that is slow holds no connection to the database
test('whoever waits for a sender or a reader holds no connection', async (t) => {
  const { db, files } = await openEmpty(t)
  const [waits, goesOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const appended = files.append(
    id,
    (async function* () {
      yield* pieces(600_000)
      waits.resolve(undefined)
      await goesOn.promise
      yield* pieces(600_000)
    })(),
  )
  await waits.promise
  t.ok((await files.page(undefined, 1)).isOk(), 'while the sender waits')
  goesOn.resolve(undefined)
  t.ok((await appended).isOk())
  let length = 0
  for await (const piece of files.read(id, { start: 0, end: 2_000_000 })) {
    length += piece._unsafeUnwrap().length
    t.ok(
      (await db.read((sql) => sql.row({ name: 'one', text: 'SELECT 1' }))).isOk(),
      'while the reader waits',
    )
  }
  t.equal(length, 1_200_000)
})

// Promise (Files): What is stored is on the disk, although no row of a content waits for it
test('rows do not wait for the disk, and the length does, which is written after them', async (t) => {
  const { url, files } = await openEmpty(t)
  await query(
    url,
    `CREATE TABLE waits (at text, commits text);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO waits VALUES (TG_OP || ' ' || TG_TABLE_NAME, current_setting('synchronous_commit')); RETURN NEW; END $$;
    CREATE TRIGGER note AFTER INSERT OR UPDATE ON file_contents FOR EACH ROW EXECUTE FUNCTION note();
    CREATE TRIGGER note AFTER INSERT ON file_chunks FOR EACH ROW EXECUTE FUNCTION note()`,
  )
  t.ok((await files.append(id, pieces(300_000))).isOk())
  t.strictSame(await rowsOf(url, 'SELECT at, commits FROM waits ORDER BY ctid'), [
    ['INSERT file_contents', 'on'],
    ['INSERT file_chunks', 'off'],
    ['INSERT file_chunks', 'off'],
    ['UPDATE file_contents', 'on'],
  ])
})

test('a row that fails is an error of the content, whichever it is', async (t) => {
  const { db } = await openEmpty(t)
  for (const failing of [0, 1, 2]) {
    let rows = 0
    const fails = watched(db, (statement) => {
      const isAdd = statement.name === 'files_add'
      if (isAdd) rows += 1
      return isAdd && rows === failing + 1
        ? { name: 'files_fails', text: 'SELECT 1 / 0, $1::uuid, $2::bigint, $3::bytea, $4::bigint' }
        : statement
    })
    const files = createFileStore(fails, clock)
    const appended = await files.append(id, pieces(600_000))
    t.equal(appended.isErr() && appended.error.code, 'storage_failed', `row ${failing}`)
    t.strictSame((await files.page(undefined, 1))._unsafeUnwrap(), [])
  }
})

test('a row is written while the next one is made', async (t) => {
  const { db } = await openEmpty(t)
  const next = Promise.withResolvers<true>()
  const waiting = watched(db, async (statement) => {
    if (statement.name === 'files_add')
      t.ok(await Promise.race([next.promise, setTimeout(5_000, false)]), 'the next one is made')
    return statement
  })
  const content = (async function* () {
    yield* pieces(300_000)
    next.resolve(true)
    yield* pieces(10)
  })()
  t.ok((await createFileStore(waiting, clock).append(id, content)).isOk())
})

test('a content that ends with an error is erased after the row that is being written', async (t) => {
  const { db } = await openEmpty(t, 2)
  const ends = {
    'an Err': async function* () {
      yield* pieces(300_000)
      yield await Promise.resolve(err({ code: 'broken' } as const))
    },
    'an exception': async function* () {
      yield* pieces(300_000)
      throw await Promise.resolve(new Error('gone'))
    },
  }
  for (const [end, content] of Object.entries(ends)) {
    const sent: string[] = []
    const slow = watched(db, async (statement) => {
      if (statement.name === 'files_add') await setTimeout(50)
      sent.push(statement.name)
      return statement
    })
    t.ok((await createFileStore(slow, clock).append(id, content())).isErr())
    t.strictSame(sent.slice(0, 3), ['files_begin', 'files_add', 'files_begin_to_drop'], end)
  }
})

/** A content in this many rows of one byte, and more of them than a statement erases. */
async function addRows(url: string, rows: number): Promise<void> {
  await query(url, `INSERT INTO file_contents (id, length, written_at) VALUES ('${id}', ${rows}, 5)`)
  await query(
    url,
    `INSERT INTO file_chunks (file_id, nr, written_at, bytes) SELECT '${id}', nr, 7, '\\x00' FROM generate_series(0, ${rows - 1}) AS nr`,
  )
}

test('a long content is erased in steps, is missing from the first one on, and can be dropped after one that was cut off', async (t) => {
  const { url, db, files } = await openEmpty(t, 2)
  await addRows(url, 600)
  const left: number[] = []
  const cutOff = createFileStore(
    watched(db, async (statement) => {
      if (statement.name !== 'files_drop_rows') return statement
      for await (const piece of files.read(id, { start: 0, end: 1 }))
        t.equal(piece.isErr() && piece.error.code, 'file_missing')
      const [[count] = []] = await rowsOf(url, 'SELECT count(*)::int FROM file_chunks')
      left.push(Number(count))
      return left.length < 3 ? statement : { name: 'files_cut_off', text: 'SELECT 1 / 0, $1::uuid' }
    }),
    clock,
  )
  t.ok((await cutOff.drop(id)).isErr())
  t.strictSame(left, [600, 344, 88])
  const page = async () => (await files.page(undefined, 10))._unsafeUnwrap()
  t.match(await page(), [{ id, length: 88 }])
  t.ok((await files.drop(id)).isOk())
  t.strictSame(await page(), [])
})

test('a content that is dropped while it arrives is not stored', async (t) => {
  const { files } = await openEmpty(t)
  for (const length of [10, 600_000]) {
    const appended = await files.append(
      id,
      (async function* () {
        yield* pieces(length)
        t.ok((await files.drop(id)).isOk())
        yield* pieces(length)
      })(),
    )
    t.equal(appended.isErr() && appended.error.code, 'storage_failed')
    t.strictSame((await files.page(undefined, 10))._unsafeUnwrap(), [])
  }
})

test('a page tells when a content was begun, when the last of it came while it arrives, and when it ended', async (t) => {
  const { files } = await openEmpty(t)
  const pageAt = async (micros: number) => {
    const page = await files.page(undefined, 10)
    clock.set(micros)
    return page._unsafeUnwrap()
  }
  clock.set(1_000)
  const appended = files.append(
    id,
    (async function* () {
      t.strictSame(await pageAt(2_000), [{ id, length: 0, writtenAtMicros: 1_000 }])
      yield* pieces(600_000)
      t.strictSame(await pageAt(3_000), [{ id, length: 524_416, writtenAtMicros: 2_000 }])
    })(),
  )
  t.ok((await appended).isOk())
  t.strictSame(await pageAt(4_000), [{ id, length: 600_000, writtenAtMicros: 3_000 }])
})

test('a content that throws is an error of the store, and nothing of it stays', async (t) => {
  const { files } = await openEmpty(t)
  const appended = await files.append(
    id,
    (async function* () {
      yield* pieces(600_000)
      throw new TypeError('a mistake')
    })(),
  )
  t.match(appended._unsafeUnwrapErr(), { code: 'storage_failed', detail: /^TypeError at / })
  t.strictSame((await files.page(undefined, 10))._unsafeUnwrap(), [])
})
