import fs, {
  existsSync,
  promises,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { StoredSecret, Uuid } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { expectErr, expectOk, noteBehind } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { test, type Test } from 'tap'
import { sqliteDriver } from '../../src/identity.ts'
import { addWithFile, contentsIn, piecesOf, type AddedFile } from '../support/files.ts'
import { quiet, temporaryDir } from '../support/helpers.ts'
import { addFolder } from '../support/rows.ts'

const nowMicros = 1_800_000_000_000_000
const keepAll = { nowMicros, keepLimited: true, keepTokens: true, checkKeys: () => ok([1]) }

/** An installation with secrets and drafts that have a file each, of 1 MB. */
async function stage(t: Test, { secrets = 3, drafts = 1 } = {}) {
  const dir = temporaryDir(t)
  const [dataDir, file, target] = ['data', 'b', 'target'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  const driver = sqliteDriver({ dataDir })
  const storage = expectOk(await driver.open(quiet))
  t.teardown(() => storage.close())
  const { make, folder } = await addFolder(storage)
  const add = async (secret: StoredSecret) => ({ secret, ...(await addWithFile(storage, make, secret)) })
  const shared = []
  for (let count = 0; count < secrets; count += 1) {
    const secret = make.secret(folder, nowMicros - count)
    shared.push({ ...(await add(secret)), lookup: secret.link.lookup })
  }
  const kept = []
  for (let count = 0; count < drafts; count += 1) kept.push(await add(make.draft(folder)))
  const backUp = () => driver.backUp({ file, nowMicros })
  const restore = (more = {}) => sqliteDriver({ dataDir: target }).restore({ ...keepAll, file, ...more })
  return { dir, dataDir, file, target, storage, make, folder, shared, drafts: kept, add, backUp, restore }
}

const contentsOf = (added: readonly AddedFile[]) =>
  new Map(added.map(({ file, content }) => [file.id, content] as const))

/** Does something before the first content is opened, in each of so many backups. */
function beforeReading(t: Test, dataDir: string, work: () => Promise<void>, times = 1): void {
  const { open } = promises
  const [first = ''] = [...contentsIn(dataDir).keys()].sort()
  let left = times
  promises.open = async (...args) => {
    if (String(args[0]).endsWith(first) && left > 0) {
      left -= 1
      await work()
    }
    return open(...args)
  }
  syncBuiltinESMExports()
  t.teardown(() => {
    promises.open = open
    syncBuiltinESMExports()
  })
}

async function spend({ links, fileContents }: FullOpenStorage, lookup: Uint8Array, id: Uuid): Promise<void> {
  expectOk(await links.update(lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
  expectOk(await fileContents.drop(id))
}

test('a backup is one file for its owner alone, with the contents behind the database', async (t) => {
  const { file, dir, target, shared, drafts, backUp, restore } = await stage(t)
  const steps: number[] = []
  const backup = expectOk(await backUp())
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.same(readdirSync(dir).sort(), ['b', 'data'])
  t.equal(backup.bytes, statSync(file).size)
  t.match(backup.contents, { files: 4, fileBytes: 4_000_000 })
  const onProgress = ({ copiedBytes, totalBytes }: { copiedBytes: number; totalBytes: number }) => {
    t.ok(copiedBytes <= totalBytes)
    steps.push(copiedBytes)
  }
  t.match(expectOk(await restore({ onProgress })), { restoredFiles: 4, contents: { files: 4 } })
  t.same(
    [...steps].sort((one, other) => one - other),
    steps,
    'progress only grows',
  )
  t.ok((steps.at(-1) ?? 0) > 4_000_000, 'and counts the contents')
  t.same(contentsIn(target), contentsOf([...shared, ...drafts]))
  for (const path of ['files', ...readdirSync(join(target, 'files')).map((name) => join('files', name))])
    t.equal(statSync(join(target, path)).mode & 0o777, 0o700, path)
})

test('a backup without files is the database alone', async (t) => {
  const { file, backUp } = await stage(t, { secrets: 0, drafts: 0 })
  expectOk(await backUp())
  const header = readFileSync(file)
  t.equal(header.length, header.readUInt16BE(16) * header.readUInt32BE(28))
})

test('what is spent, erased or added while a backup is made is not in it', async (t) => {
  const { dataDir, target, storage, make, folder, shared, drafts, add, backUp, restore } = await stage(t)
  const [first, spent, other] = shared // the first is read when the others change
  const [draft] = drafts
  const added: AddedFile[] = []
  beforeReading(t, dataDir, async () => {
    await spend(storage, spent!.lookup, spent!.file.id)
    expectOk(await storage.drafts.erase(folder.accountId, draft!.secret.id))
    expectOk(await storage.fileContents.drop(draft!.file.id))
    added.push(await add(make.secret(folder, nowMicros)))
  })
  t.match(expectOk(await backUp()).contents, { files: 2, fileBytes: 2_000_000 })
  t.equal(added.length, 1)
  t.match(expectOk(await restore()), { restoredFiles: 2, destroyedNotes: 0 })
  t.same(contentsIn(target), contentsOf([first!, other!]))
  const restored = expectOk(await sqliteDriver({ dataDir: target }).open(quiet))
  t.equal(await noteBehind(restored, spent!.lookup), undefined, 'the note that was spent')
  t.ok(await noteBehind(restored, first!.lookup))
  t.equal(expectOk(await restored.drafts.find(folder.accountId, draft!.secret.id)), undefined)
  t.same(expectOk(await restored.drafts.page({ accountId: folder.accountId }, undefined, 9)), [])
  const over = expectOk(await restored.secretFiles.page({ overAtMicros: nowMicros }, undefined, 9))
  t.same(new Set(over.map(({ id }) => id)), new Set([spent!.file.id, draft!.file.id]), 'for the next sweep')
  await restored.close()
})

test('an upload that is under way is not part of a backup', async (t) => {
  const { storage, make, target, backUp, restore } = await stage(t, { secrets: 0, drafts: 0 })
  const id = make.uuid()
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  async function* slowly() {
    yield* piecesOf(Buffer.alloc(200_000, 1))
    await ended
  }
  const upload = storage.fileContents.append(id, slowly())
  t.match(expectOk(await backUp()).contents, { files: 0 })
  end()
  expectOk(await upload)
  expectOk(await restore())
  t.same(contentsIn(target), new Map())
})

test('a backup begins again when a draft loses a file that it was about to copy, and has the draft as it is then', async (t) => {
  const { dataDir, target, storage, folder, shared, drafts, make, backUp, restore } = await stage(t)
  const { secret, file } = drafts[0]!
  const note = make.note()
  beforeReading(t, dataDir, async () => {
    expectOk(
      await storage.drafts.replace(secret.headCiphertext, { ...secret, link: undefined }, note, {
        files: [],
      }),
    )
    expectOk(await storage.fileContents.drop(file.id))
  })
  t.match(expectOk(await backUp()).contents, { files: 3, drafts: 1 })
  expectOk(await restore())
  t.same(contentsIn(target), contentsOf(shared))
  const restored = expectOk(await sqliteDriver({ dataDir: target }).open(quiet))
  const found = expectOk(await restored.drafts.find(folder.accountId, secret.id))
  t.ok(Buffer.from(note.note).equals(found?.note.note ?? Buffer.alloc(0)))
  await restored.close()
})

test('drafts that lose files each time end a backup with an error', async (t) => {
  const { dir, dataDir, storage, drafts, make, backUp } = await stage(t, { secrets: 0, drafts: 6 })
  const left = [...drafts]
  const remove = async (): Promise<void> => {
    const { secret, file } = left.pop()!
    expectOk(
      await storage.drafts.replace(secret.headCiphertext, { ...secret, link: undefined }, make.note(), {
        files: [],
      }),
    )
    expectOk(await storage.fileContents.drop(file.id))
  }
  beforeReading(t, dataDir, remove, 5)
  t.match(expectErr(await backUp()), { code: 'backup_not_verified', detail: /drafts/ })
  t.equal(left.length, 1)
  t.same(readdirSync(dir), ['data'])
})

test('a backup whose contents are torn, changed or missing is refused, and nothing is restored', async (t) => {
  const { file, target, backUp, restore } = await stage(t, { secrets: 2, drafts: 0 })
  expectOk(await backUp())
  const whole = readFileSync(file)
  const start = whole.readUInt16BE(16) * whole.readUInt32BE(28)
  const flip = (at: number) => whole.map((byte, index) => (index === at ? byte ^ 1 : byte))
  const spoiled: Readonly<Record<string, Uint8Array>> = {
    'no contents at all': whole.subarray(0, start),
    'a few bytes of the mark': whole.subarray(0, start + 10),
    'cut off in a content': whole.subarray(0, start + 700_000),
    'cut off between contents': whole.subarray(0, start + 16 + 24 + 1_000_000),
    'without its end': whole.subarray(0, -1),
    'longer than it was': Buffer.concat([whole, Buffer.alloc(1)]),
    'another mark': flip(start),
    'another id': flip(start + 20),
    'another length': flip(start + 16 + 23),
    'another length, by far': flip(start + 16 + 16),
    'another byte in a content': flip(start + 500_000),
    'another digest': flip(whole.length - 1),
  }
  for (const [what, bytes] of Object.entries(spoiled)) {
    writeFileSync(file, bytes)
    t.match(expectErr(await restore()), { code: 'backup_damaged', detail: /content|cut off/ }, what)
    t.notOk(existsSync(target), what)
  }
  writeFileSync(file, whole)
  expectOk(await restore())
})

/** Has the disk full, for files of this name, once so many bytes were written to them. */
function fullAfter(t: Test, name: RegExp, bytes: number): { end(): void } {
  const { open } = promises
  let left = bytes
  promises.open = async (...args) => {
    const file = await open(...args)
    if (!name.test(String(args[0]))) return file
    const write = file.write.bind(file) as (bytes: Buffer, at: number, length: number) => Promise<unknown>
    const part = (piece: Buffer, at: number) => {
      if (left <= 0) throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })
      const length = Math.min(left, piece.length - at)
      left -= length
      return write(piece, at, length)
    }
    return Object.assign(file, { write: part })
  }
  syncBuiltinESMExports()
  const end = (): void => {
    promises.open = open
    syncBuiltinESMExports()
  }
  t.teardown(end)
  return { end }
}

test('a disk that is full in the middle of the contents leaves no backup and no directory', async (t) => {
  const { dir, file, target, shared, drafts, backUp, restore } = await stage(t)
  const full = fullAfter(t, /sotto-backup/, 2_500_000)
  const detail = 'the disk is full'
  t.same(expectErr(await backUp()), { code: 'backup_not_written', path: file, detail })
  t.same(readdirSync(dir), ['data'])
  full.end()
  expectOk(await backUp())
  const fullAgain = fullAfter(t, /sotto-restore/, 2_500_000)
  t.match(expectErr(await restore()), { code: 'restore_not_written', detail })
  t.same(readdirSync(dir).sort(), ['b', 'data'])
  fullAgain.end()
  expectOk(await restore())
  t.same(contentsIn(target), contentsOf([...shared, ...drafts]))
})

test('contents are in their places and on the disk before there is a database', async (t) => {
  const { target, shared, drafts, backUp, restore } = await stage(t)
  expectOk(await backUp())
  const contents = contentsOf([...shared, ...drafts])
  const synced: string[] = []
  const { open } = promises
  const { linkSync } = fs
  promises.open = async (...args) => {
    const file = await open(...args)
    const { sync } = file
    file.sync = () => {
      synced.push(String(args[0]))
      return sync.call(file)
    }
    return file
  }
  let found: unknown
  fs.linkSync = (from, to) => {
    const directory = join(target, 'files')
    const prefixes = readdirSync(directory).map((name) => join(directory, name))
    const unsynced = [...contents.keys(), ...prefixes].filter(
      (name) => !synced.some((path) => path.endsWith(name)),
    )
    found = { contents: contentsIn(target), unsynced }
    linkSync(from, to)
  }
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(promises, { open })
    Object.assign(fs, { linkSync })
    syncBuiltinESMExports()
  })
  expectOk(await restore())
  t.same(found, { contents, unsynced: [] })
  t.same(readdirSync(target).sort(), ['files', 'sotto.sqlite'])
})

test('contents that a restore has left, whole or in part, are put right by the next one', async (t) => {
  const { target, shared, drafts, backUp, restore } = await stage(t)
  expectOk(await backUp())
  expectOk(await restore())
  const contents = contentsOf([...shared, ...drafts])
  fs.rmSync(join(target, 'sotto.sqlite'))
  const { id } = shared[0]!.file
  truncateSync(join(target, 'files', id.slice(0, 6), id), 5)
  expectOk(await restore())
  t.same(contentsIn(target), contents)
})

test('of several restores at the same time one succeeds, with all contents', async (t) => {
  const { target, shared, drafts, backUp, restore } = await stage(t)
  expectOk(await backUp())
  const done = await Promise.all([restore(), restore(), restore()])
  t.equal(done.filter((each) => each.isOk()).length, 1)
  for (const each of done) if (each.isErr()) t.match(each.error, { code: 'database_exists' })
  t.same(contentsIn(target), contentsOf([...shared, ...drafts]))
  t.same(readdirSync(target).sort(), ['files', 'sotto.sqlite'])
})
