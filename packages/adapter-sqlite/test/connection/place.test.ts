import { copyFileSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expectErr, expectOk } from '@sotto/test-kit'
import { test, type Test } from 'tap'
import { open, temporaryDir, wrongIn } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { startHelper } from '../support/processes.ts'
import { addFolder } from '../support/rows.ts'

const detail = 'a file of it was moved, replaced or removed'
const moved = { code: 'storage_unavailable', reason: 'moved', detail }
const message =
  'was moved, replaced or removed while it is open: nothing is written until it is back, or what has it open is restarted'

/** A directory with an open database that holds a folder. */
async function setUp(t: Test) {
  const dir = join(temporaryDir(t), 'data')
  const path = join(dir, 'sotto.sqlite')
  const timers = createManualTimers()
  const logged: unknown[] = []
  const database = await open(dir, { timers, log: (...entry) => logged.push(entry) })
  const { make, folder } = await addFolder(database)
  const insert = () => database.secrets.insert(make.secret(folder), make.note())
  /** What a new process finds in the files of this directory. */
  const secretsIn = async (other: string) => {
    const found = await open(other)
    const { secrets } = expectOk(await found.upkeep.countRows())
    await found.close()
    return secrets
  }
  return { dir, path, timers, logged, database, make, folder, insert, secretsIn }
}

/** A copy under another name that takes the place of the file. */
function replace(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

/** What happens to a file, and how it is put back, where it can be. */
const accidents: Readonly<Record<string, (path: string) => () => void>> = {
  'moved away': (path) => {
    renameSync(path, `${path}.away`)
    return () => renameSync(`${path}.away`, path)
  },
  'replaced by a copy': (path) => {
    renameSync(path, `${path}.away`)
    copyFileSync(`${path}.away`, path)
    return () => renameSync(`${path}.away`, path)
  },
  'replaced by another file': (path) => {
    renameSync(path, `${path}.away`)
    writeFileSync(path, 'something else')
    return () => renameSync(`${path}.away`, path)
  },
}

// Promise (Installing and operating): No secret is acknowledged into a file that its path no longer leads to: or beside a log that others
// do not find
test('while a file of the database is moved or replaced, nothing is written', async (t) => {
  for (const ending of ['', '-wal', '-shm'])
    for (const [accident, happen] of Object.entries(accidents))
      await t.test(`sotto.sqlite${ending} is ${accident}`, async (t) => {
        const { dir, path, logged, database, insert, secretsIn } = await setUp(t)
        expectOk(await insert())
        const logBefore = readFileSync(`${path}-wal`)
        const log = ending === '-wal' ? `${path}-wal.away` : `${path}-wal`
        const putBack = happen(path + ending)
        for (let time = 0; time < 2; time += 1) {
          const writes = await Promise.all([insert(), insert(), database.upkeep.recordSweep(1)])
          for (const answer of writes) t.same(expectErr(answer), moved)
          t.same(expectErr(await database.upkeep.canWrite()), moved)
        }
        t.same(readFileSync(log), logBefore)
        t.same(logged, [['error', `sotto.sqlite${ending} ${message}`, { path: path + ending }]], 'once')
        t.equal(expectOk(await database.upkeep.countRows()).secrets, 1, 'it is still read')

        putBack()
        expectOk(await database.upkeep.canWrite())
        expectOk(await insert())
        await database.close()
        t.equal(await secretsIn(dir), 2, 'what was refused is not there')
      })
})

test('while the directory is moved away, nothing is written, also when another one is in its place', async (t) => {
  const { dir, timers, database, insert, secretsIn } = await setUp(t)
  renameSync(dir, `${dir}.old`)
  t.same(expectErr(await insert()), moved)
  await (await open(dir)).close()
  t.same(expectErr(await insert()), moved)
  const found = wrongIn(database)
  while ((await Promise.race([found, turn()])) === undefined) timers.pass(100)
  t.match(await found, [`database: it cannot be written (${detail})`, /^erasure: /])
  rmSync(dir, { recursive: true })
  renameSync(`${dir}.old`, dir)
  expectOk(await insert())
  await database.close()
  t.equal(await secretsIn(dir), 1)
})

test('another file in the place of the database does not get what its log holds', async (t) => {
  const { path, timers, database, make, folder, insert } = await setUp(t)
  const draft = make.draft(folder)
  expectOk(await database.secrets.insert(draft, make.note()))
  t.ok(database.erasure.finish())
  expectOk(await insert())
  expectOk(await database.drafts.erase(folder.accountId, draft.id))
  replace(path)
  const [before, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
  timers.pass(120_000)
  t.equal(database.erasure.finish(), false)
  await database.close()
  t.same(readFileSync(path), before)
  t.same(readFileSync(`${path}-wal`), log)
})

test('when only the log was removed, what was acknowledged is copied into the file within a second', async (t) => {
  const { dir, path, timers, database, insert, secretsIn } = await setUp(t)
  expectOk(await insert())
  rmSync(`${path}-wal`)
  t.same(expectErr(await insert()), moved)
  timers.pass(1_000)
  const killed = temporaryDir(t)
  copyFileSync(path, join(killed, 'sotto.sqlite'))
  t.equal(await secretsIn(killed), 1, 'the file alone holds it')
  await database.close()
  t.equal(await secretsIn(dir), 1)
})

test('when log and index were removed, closing keeps what another process has written since', async (t) => {
  const { dir, path, database, make, insert } = await setUp(t)
  t.ok(database.erasure.finish())
  expectOk(await database.accounts.insert(make.account(), [make.nameIndex()]))
  for (const ending of ['-wal', '-shm']) rmSync(path + ending)
  const helper = await startHelper(t)
  await helper.run('addAccount', dir, 2)
  t.same(expectErr(await insert()), moved)
  await database.close()
  const after = await open(dir)
  const ids = expectOk(await after.accounts.page(undefined, 10)).map(({ id }) => id)
  t.ok(ids.includes('00000000-0000-7000-8000-000000000002'))
  t.same(await wrongIn(after), [])
  await after.close()
})

test('behind a symbolic link the log is beside the file, and both are looked for', async (t) => {
  const dir = temporaryDir(t)
  const real = join(temporaryDir(t), 'database')
  await (await open(dir)).close()
  renameSync(join(dir, 'sotto.sqlite'), real)
  symlinkSync(real, join(dir, 'sotto.sqlite'))
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  const { make, folder } = await addFolder(database)
  const draft = make.draft(folder)
  expectOk(await database.secrets.insert(draft, make.note()))
  expectOk(await database.drafts.erase(folder.accountId, draft.id))
  timers.pass(1_000)
  t.equal(statSync(`${real}-wal`).size, 0, 'the log is emptied after an erasure')
  for (const path of [join(dir, 'sotto.sqlite'), `${real}-wal`]) {
    renameSync(path, `${path}.away`)
    t.same(expectErr(await database.upkeep.canWrite()), moved, path)
    renameSync(`${path}.away`, path)
    expectOk(await database.upkeep.canWrite())
  }
  t.ok(database.erasure.finish())
  await database.close()
})
