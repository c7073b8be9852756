import fs, { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createNewFile, leftoversIn } from '../src/index.ts'
import { replaceFunctions, systemError, upwards, watchFiles } from './support/watch-files.ts'

/** Above the largest pid of Linux. */
const deadPid = 4_194_304
const leftover = (purpose: string, pid = deadPid): string => `.sotto-${purpose}-${pid}-0123456789abcdef.tmp`

const synced = (path: string): string[] => upwards(path).map((each) => `sync ${each}`)

function targetIn(t: Test): { readonly directory: string; readonly target: string } {
  const directory = t.testdir()
  return { directory, target: join(directory, 'target') }
}

t.test('a new file is beside its target, readable by its owner only, whatever the umask', async (t) => {
  const { directory, target } = targetIn(t)
  for (const umask of [0, 0o777]) {
    const before = process.umask(umask)
    const { path } = createNewFile(target, 'backup', { content: 'text' })
    process.umask(before)
    t.match(path, new RegExp(`^${directory}/\\.sotto-backup-${process.pid}-[0-9a-f]{16}\\.tmp$`))
    t.equal(statSync(path).mode & 0o777, 0o600, umask.toString(8))
    t.equal(readFileSync(path, 'utf8'), 'text')
  }
  t.notOk(existsSync(target))
})

t.test('without content it is empty, and the caller writes to it', async (t) => {
  const { target } = targetIn(t)
  const file = createNewFile(target, 'backup')
  t.equal(readFileSync(file.path, 'utf8'), '')
  writeFileSync(file.path, 'written')
  t.ok(file.publish())
  t.equal(readFileSync(target, 'utf8'), 'written')
})

t.test('publishing syncs the content, gives the name, and syncs the directories', async (t) => {
  const { directory, target } = targetIn(t)
  const file = createNewFile(target, 'keys', { content: 'text' })
  const calls = watchFiles(t)
  t.ok(file.publish())
  t.strictSame(calls, [`sync ${file.path}`, `link ${target}`, ...synced(directory)])
  t.strictSame(readdirSync(directory), ['target'])
  t.equal(statSync(target).mode & 0o777, 0o600)
})

t.test('publishing never replaces a file', async (t) => {
  const { directory, target } = targetIn(t)
  const [one, other] = ['one', 'other'].map((content) => createNewFile(target, 'keys', { content }))
  t.equal(one?.publish(), true)
  t.equal(other?.publish(), false)
  t.equal(readFileSync(target, 'utf8'), 'one')
  t.equal(other?.publish(join(directory, 'other')), true, 'another name may be free')
  other?.discard()
  t.strictSame(readdirSync(directory).sort(), ['other', 'target'])
})

for (const code of ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']) {
  t.test(`where there are no hard links (${code}) publishing does not replace a file either`, async (t) => {
    const { directory, target } = targetIn(t)
    const [one, other] = ['one', 'other'].map((content) => createNewFile(target, 'keys', { content }))
    replaceFunctions(t, {
      linkSync() {
        throw systemError(code)
      },
    })
    t.equal(one?.publish(), true)
    t.equal(other?.publish(), false)
    t.equal(readFileSync(target, 'utf8'), 'one')
    other?.discard()
    t.strictSame(readdirSync(directory), ['target'])
  })
}

t.test('without hard links, a file that appears while another is published is not replaced', async (t) => {
  const { target } = targetIn(t)
  const [one, other] = ['one', 'other'].map((content) => createNewFile(target, 'keys', { content }))
  const { renameSync } = fs
  const answers: (boolean | undefined)[] = []
  replaceFunctions(t, {
    linkSync() {
      throw systemError('EPERM')
    },
    // At this moment the first has found the name free.
    renameSync(from, to) {
      if (from === one?.path) answers.push(other?.publish())
      renameSync(from, to)
    },
  })
  answers.push(one?.publish())
  t.strictSame(answers, [false, true])
  t.equal(readFileSync(target, 'utf8'), 'one')
})

t.test('without hard links, a file that cannot be renamed leaves its name free', async (t) => {
  const { target } = targetIn(t)
  const file = createNewFile(target, 'keys', { content: 'text' })
  const fail = (code: string) => () => {
    throw systemError(code)
  }
  replaceFunctions(t, { linkSync: fail('EPERM'), renameSync: fail('EIO') })
  t.throws(() => file.publish(), { code: 'EIO' })
  t.notOk(existsSync(target))
})

t.test('any other error of the file system is thrown', async (t) => {
  const { target } = targetIn(t)
  const file = createNewFile(target, 'keys', { content: 'text' })
  watchFiles(t, { [file.path]: 'EIO' })
  t.throws(() => file.publish(), { code: 'EIO' })
  t.throws(() => file.replace(), { code: 'EIO' })
  t.notOk(existsSync(target), 'what is not on the disk gets no name')
  t.throws(() => createNewFile(join(target, 'in', 'none'), 'keys'), { code: 'ENOENT' })
})

t.test('replacing syncs the content, asks, takes the name, and syncs the directories', async (t) => {
  const { directory, target } = targetIn(t)
  writeFileSync(target, 'before')
  const file = createNewFile(target, 'keys', { content: 'after' })
  const calls = watchFiles(t)
  const isAllowed = (): boolean => {
    calls.push('ask')
    t.equal(readFileSync(target, 'utf8'), 'before')
    return true
  }
  t.ok(file.replace(isAllowed))
  t.strictSame(calls, [`sync ${file.path}`, 'ask', `rename ${target}`, ...synced(directory)])
  t.equal(readFileSync(target, 'utf8'), 'after')
  t.strictSame(readdirSync(directory), ['target'])
})

t.test('nothing is replaced when the last question is answered with no', async (t) => {
  const { directory, target } = targetIn(t)
  writeFileSync(target, 'before')
  const file = createNewFile(target, 'keys', { content: 'after' })
  t.notOk(file.replace(() => false))
  t.equal(readFileSync(target, 'utf8'), 'before')
  file.discard()
  t.strictSame(readdirSync(directory), ['target'])
})

t.test(
  'discarding removes the file and what SQLite left beside it, but nothing that is published',
  async (t) => {
    const { directory, target } = targetIn(t)
    const published = createNewFile(target, 'backup')
    t.ok(published.publish())
    const discarded = createNewFile(target, 'backup')
    for (const ending of ['-journal', '-wal', '-shm']) writeFileSync(discarded.path + ending, '')
    for (const file of [published, discarded, discarded]) file.discard()
    t.strictSame(readdirSync(directory), ['target'])
  },
)

t.test('nothing is left of a file that cannot be written', async (t) => {
  const { directory, target } = targetIn(t)
  replaceFunctions(t, {
    writeFileSync() {
      throw systemError('ENOSPC')
    },
  })
  t.throws(() => createNewFile(target, 'keys', { content: 'text' }), { code: 'ENOSPC' })
  t.strictSame(readdirSync(directory), [])
})

t.test('a file gets another owner only when that is another one', async (t) => {
  const { directory, target } = targetIn(t)
  const { uid, gid } = statSync(directory)
  const owners: number[] = []
  replaceFunctions(t, { fchownSync: (_fd, owner, group) => void owners.push(owner, group) })
  createNewFile(target, 'keys', { owner: { uid, gid } })
  t.strictSame(owners, [])
  createNewFile(target, 'keys', { owner: { uid: uid + 1, gid } })
  createNewFile(target, 'keys', { owner: { uid, gid: gid + 1 } })
  t.strictSame(owners, [uid + 1, gid, uid, gid + 1])
})

const hourAgo = () => Date.now() / 1_000 - 3_601

t.test(
  'leftovers are the temporary files of processes that do not run here, an hour after the last write',
  async (t) => {
    const { directory, target } = targetIn(t)
    const left = [leftover('backup'), `${leftover('restore')}-journal`, `${leftover('x-1')}-wal`]
    const others = [leftover('backup', process.pid), '.sotto-notes', `${leftover('backup')}.old`, 'a.tmp']
    for (const name of [...left, ...others]) {
      writeFileSync(join(directory, name), '')
      utimesSync(join(directory, name), hourAgo(), hourAgo())
    }
    t.strictSame(leftoversIn(directory).toSorted(), left.toSorted())
    createNewFile(target, 'backup').discard()
    t.strictSame(readdirSync(directory).toSorted(), others.toSorted(), 'a new file removes them')
  },
)

t.test('a file that a process in another container may be writing is not removed', async (t) => {
  const { directory, target } = targetIn(t)
  const names = [leftover('backup'), leftover('restore'), `${leftover('restore')}-journal`]
  for (const name of names) writeFileSync(join(directory, name), '')
  const journal = join(directory, names[2]!)
  utimesSync(journal, hourAgo(), hourAgo())
  t.strictSame(leftoversIn(directory), [], 'also when only the file beside a journal was written to')
  createNewFile(target, 'backup').discard()
  t.strictSame(readdirSync(directory).toSorted(), names.toSorted())
})

t.test('under a lock all temporary files of the same purpose are leftovers', async (t) => {
  const { directory, target } = targetIn(t)
  const [mine, other] = [leftover('keys.json', process.pid), leftover('other.json', process.pid)]
  for (const name of [mine, other]) writeFileSync(join(directory, name), '')
  createNewFile(target, 'keys.json').discard()
  t.strictSame(readdirSync(directory).toSorted(), [mine, other])
  createNewFile(target, 'keys.json', { isLocked: true }).discard()
  t.strictSame(readdirSync(directory), [other])
})
