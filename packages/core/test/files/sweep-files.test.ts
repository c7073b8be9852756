import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { okAsync, ResultAsync } from 'neverthrow'
import { nilUuid } from '../../src/shared/uuid.ts'
import type { FileStore } from '../../src/files/file-store.ts'
import { examineFiles } from '../../src/storage/examine-files.ts'
import { sweepFiles } from '../../src/files/sweep-files.ts'
import { ticketMicros } from '../../src/files/tickets.ts'
import { corruptFile } from '../corruption.ts'
import { contentsOf, counted, saveFiles, shareFiles, uploaded } from '../files.ts'
import { counting, createWorld, dayMicros, type World } from '../world.ts'

const broken = { code: 'storage_failed', detail: 'broken' } as const
const usedBytes = async ({ sotto, accountId }: World) =>
  expectOk(await sotto.fileUsage({ accountId })).usedBytes

/** Secrets with a file each that can still be read, or not. */
async function filled() {
  const world = await createWorld()
  const { sotto, accountId } = world
  await shareFiles(world, ['live'])
  await saveFiles(world, ['draft'])
  const spent = await shareFiles(world, ['spent'], { openLimit: 1 })
  expectOk(await sotto.openSecret({ token: spent.link.token }))
  const { id } = await shareFiles(world, ['erased'])
  expectOk(await sotto.destroySecret({ accountId, id }))
  return world
}

// Promise (Files): The contents of files that nobody can read any more are dropped, and their bytes free the account's sum
t.test('a sweep drops what nobody can read any more, and takes it off the sum', async (t) => {
  const world = await filled()
  const { deps } = world
  t.strictSame([contentsOf(world).length, await usedBytes(world)], [4, 4 * counted])
  t.strictSame(expectOk(await sweepFiles(deps)), { files: 1, orphans: 0 })
  t.strictSame(
    [contentsOf(world).length, await usedBytes(world)],
    [3, 3 * counted],
    'the ticket of the spent one lives',
  )
  deps.clock.advance(ticketMicros - 1)
  t.equal(expectOk(await sweepFiles(deps)).files, 0)
  deps.clock.advance(1)
  t.equal(expectOk(await sweepFiles(deps)).files, 1)
  t.strictSame([contentsOf(world).length, await usedBytes(world)], [2, 2 * counted])
  t.equal(deps.data.files.size, 2)
  t.strictSame(expectOk(await sweepFiles(deps, { withOrphans: true })), { files: 0, orphans: 0 })
})

t.test('the files of an account that was deleted are dropped', async (t) => {
  const world = await filled()
  const { deps, sotto, accountId } = world
  const bob = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId: bob.id, label: 'x' }))
  await shareFiles({ ...world, accountId: bob.id, folderId }, ['kept'])
  expectOk(await sotto.deleteAccount({ accountId }))
  t.equal(expectOk(await sweepFiles(deps)).files, 4)
  t.strictSame([contentsOf(world).length, deps.data.files.size], [1, 1])
})

t.test(
  'a content that no row names is dropped when it is a day old, and only when it is asked for',
  async (t) => {
    const world = await createWorld()
    const { deps } = world
    await shareFiles(world, ['named'])
    const { files } = await uploaded(world, ['old', 'new'])
    // As an earlier version has left them.
    deps.data.underWay.clear()
    const writtenAt = (at: number, atMicros: number) => {
      const { id } = files[at]!
      deps.data.fileContents.set(id, { ...deps.data.fileContents.get(id)!, writtenAtMicros: atMicros })
    }
    const dayAgo = deps.clock.nowMicros() - dayMicros
    writtenAt(0, dayAgo)
    writtenAt(1, dayAgo + 1)
    const { bytes: whole } = deps.data.fileContents.get(files[0]!.id)!
    const orphans = { count: 1, bytes: whole.length }
    t.strictSame(expectOk(await examineFiles(deps)), { files: 1, missing: [], orphans })
    t.strictSame(expectOk(await sweepFiles(deps)), { files: 0, orphans: 0 })
    t.strictSame(expectOk(await sweepFiles(deps, { withOrphans: true })), { files: 0, orphans: 1 })
    t.strictSame(contentsOf(world), [[...deps.data.files.keys()][0], files[1]?.id].toSorted())
    deps.clock.advance(1)
    t.equal(expectOk(await sweepFiles(deps, { withOrphans: true })).orphans, 1)
    t.equal(contentsOf(world).length, 1)
  },
)

t.test('many files are swept and compared, page by page', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (let count = 0; count < 35; count += 1) {
    const { id } = await shareFiles(world, ['a', 'b', 'c'])
    if (count % 2 === 0) expectOk(await sotto.destroySecret({ accountId, id }))
    else await uploaded(world, ['d', 'e', 'f', 'g'])
  }
  t.strictSame(contentsOf(world).length, 35 * 3 + 17 * 4)
  const found = expectOk(await examineFiles(deps))
  t.strictSame([found.files, found.missing, found.orphans.count], [105, [], 68])
  t.strictSame(expectOk(await sweepFiles(deps, { withOrphans: true })), { files: 54, orphans: 68 })
  t.strictSame(contentsOf(world), [...deps.data.files.keys()].toSorted())
  t.equal(deps.data.files.size, 51)
})

t.test('a content that cannot be dropped keeps no other one, and is dropped by a later sweep', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (const name of ['a', 'b'])
    expectOk(await sotto.destroySecret({ accountId, id: (await shareFiles(world, [name])).id }))
  await uploaded(world, ['c', 'd'])
  const contents = contentsOf(world)
  const stuck = [contents[0], contents[2]]
  const fileContents: FileStore = {
    ...deps.fileContents,
    drop: (id) =>
      (stuck.includes(id) ? failing(deps.fileContents, { drop: broken }) : deps.fileContents).drop(id),
  }
  t.strictSame(expectErr(await sweepFiles({ ...deps, fileContents }, { withOrphans: true })), broken)
  t.strictSame(contentsOf(world), stuck)
  t.equal(await usedBytes(world), 2 * counted, 'what is not dropped still counts')
  t.strictSame(expectOk(await sweepFiles(deps, { withOrphans: true })), { files: 1, orphans: 1 })
  t.strictSame([contentsOf(world), await usedBytes(world)], [[], 0])
})

t.test('a sweep that should stop ends before the next file', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = await shareFiles(world, ['a', 'b', 'c'])
  expectOk(await sotto.destroySecret({ accountId, id }))
  await uploaded(world, ['d', 'e', 'f'])
  const after = (files: number) => {
    let asked = 0
    return { withOrphans: true, shouldStop: () => (asked += 1) > files }
  }
  t.strictSame(expectOk(await sweepFiles(deps, after(0))), { files: 0, orphans: 0 })
  t.strictSame(expectOk(await sweepFiles(deps, after(2))), { files: 2, orphans: 0 })
  t.strictSame(expectOk(await sweepFiles(deps, after(2))), { files: 1, orphans: 1 })
  t.strictSame(expectOk(await sweepFiles(deps, after(9))), { files: 0, orphans: 2 })
})

t.test('a file whose size cannot be read is dropped, and what it counted is free', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = await shareFiles(world, ['12345'])
  await shareFiles(world, ['1'])
  corruptFile(world, [...deps.data.files.values()].find(({ secretId }) => secretId === id)!.id)
  expectOk(await sotto.destroySecret({ accountId, id }))
  t.equal(expectOk(await sweepFiles(deps)).files, 1)
  t.strictSame([contentsOf(world).length, await usedBytes(world)], [1, counted])
})

// Promise (Files): What its owner deletes is dropped without waiting for a clock
t.test('a sweep of what was erased leaves all else, also what only a clock would end', async (t) => {
  const world = await filled()
  const { deps, sotto, accountId } = world
  const spent = [...deps.data.files.values()][2]!.secretId
  const { id } = await shareFiles(world, ['erased', 'too'])
  await uploaded(world, ['under way'])
  deps.clock.advance(dayMicros)
  const swept = async (ofErased: string) => expectOk(await sweepFiles(deps, { ofErased, withOrphans: true }))
  t.strictSame(await swept(id), { files: 0, orphans: 0 }, 'it is there')
  expectOk(await sotto.destroySecret({ accountId, id }))
  t.strictSame(await swept(id), { files: 2, orphans: 0 })
  t.strictSame(await swept(spent), { files: 0, orphans: 0 }, 'whose ticket is over')
  t.strictSame(await swept(nilUuid), { files: 0, orphans: 0 })
  t.equal(contentsOf(world).length, 5)
})

t.test('a file without its content is missing', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const { id: secretId } = await shareFiles(world, ['a', 'b', 'c'])
  const [first = '', , last = ''] = contentsOf(world)
  for (const id of [first, last]) deps.data.fileContents.delete(id)
  const missing = [first, last].map((id) => ({ id, secretId }))
  const orphans = { count: 0, bytes: 0 }
  t.strictSame(expectOk(await examineFiles(deps)), { files: 1, missing, orphans })
})

t.test('a file that is added or dropped while both lists are read is not missing', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = await shareFiles(world, ['dropped'])
  await shareFiles(world, ['kept'])
  let pages = 0
  // Between the first page of contents and the first page of rows.
  const secretFiles: typeof deps.secretFiles = {
    ...deps.secretFiles,
    page: (...asked) =>
      pages++ > 0
        ? deps.secretFiles.page(...asked)
        : between().andThen(() => deps.secretFiles.page(...asked)),
  }
  const between = () => new ResultAsync(shareFiles(world, ['added']).then(() => okAsync()))
  const none = { missing: [], orphans: { count: 0, bytes: 0 } }
  t.strictSame(expectOk(await examineFiles({ ...deps, secretFiles })), { files: 3, ...none })
  expectOk(await sotto.destroySecret({ accountId, id }))
  const [gone = ''] = contentsOf(world)
  let reads = 0
  const sweeping: FileStore = {
    ...deps.fileContents,
    page: (...asked) =>
      reads++ === 0
        ? deps.fileContents.page(...asked).map((all) => all.filter((each) => each.id !== gone))
        : deps.fileContents.page(...asked),
  }
  t.strictSame(expectOk(await examineFiles({ ...deps, fileContents: sweeping })), { files: 3, ...none })
})

t.test('only files that are missing both times are missing', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const { id: secretId } = await shareFiles(world, ['a', 'b', 'c'])
  const [first, second = '', third] = contentsOf(world)
  const hidden = [
    [first, second],
    [second, third],
  ]
  const fileContents: FileStore = {
    ...deps.fileContents,
    page: (...asked) => {
      const missing = hidden.shift() ?? []
      return deps.fileContents.page(...asked).map((all) => all.filter(({ id }) => !missing.includes(id)))
    },
  }
  t.strictSame(expectOk(await examineFiles({ ...deps, fileContents })).missing, [{ id: second, secretId }])
})

t.test('a file that was dropped, and whose row a crash has left, is not missing', async (t) => {
  const world = await filled()
  const { deps } = world
  const secretFiles = failing(deps.secretFiles, { erase: broken })
  expectErr(await sweepFiles({ ...deps, secretFiles }))
  t.equal(contentsOf(world).length, 3)
  const { port, calls } = counting(deps.fileContents)
  t.strictSame(expectOk(await examineFiles({ ...deps, fileContents: port })).missing, [])
  t.strictSame(calls, { page: 1 }, 'it looks once where nothing is missing')
})

t.test('a file that another process has dropped meanwhile is not counted', async (t) => {
  const world = await filled()
  const { deps } = world
  const secretFiles: typeof deps.secretFiles = {
    ...deps.secretFiles,
    erase: (id) => deps.secretFiles.erase(id).andThen(() => deps.secretFiles.erase(id)),
  }
  t.equal(expectOk(await sweepFiles({ ...deps, secretFiles })).files, 0)
  t.equal(deps.data.files.size, 3)
})
