import { execFile } from 'node:child_process'
import fs, {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { createManualClock, expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { activateKey, addKey, createKeyFile, removeKey } from '../../src/keys/key-file-changes.ts'
import { openKeyFile } from '../../src/keys/key-file.ts'

const clock = createManualClock(noonMicros)

function newFile(directory: string) {
  const path = join(directory, 'keys.json')
  expectOk(createKeyFile({ path, clock }))
  return { path, clock }
}

t.test('an existing file is used and not changed', (t) => {
  const file = newFile(t.testdir())
  const before = readFileSync(file.path)
  t.equal(expectOk(createKeyFile(file)).activeKid, 1)
  t.same(readFileSync(file.path), before)
  t.strictSame(readdirSync(dirname(file.path)), ['keys.json'], 'no other file is left')
  t.end()
})

t.test(
  'the content is on the disk before it gets its name, and the name before anybody relies on it',
  (t) => {
    const file = { path: join(t.testdir(), 'keys', 'keys.json'), clock }
    const calls: string[] = []
    const names = ['writeFileSync', 'fsyncSync', 'linkSync', 'renameSync'] as const
    for (const name of names) {
      const original = fs[name] as (...args: unknown[]) => unknown
      t.intercept(fs, name, {
        value(...args: unknown[]) {
          if (calls.at(-1) !== name) calls.push(name)
          return original(...args)
        },
      })
    }
    syncBuiltinESMExports()
    t.teardown(() => syncBuiltinESMExports())
    expectOk(createKeyFile(file))
    t.strictSame(calls.splice(0), ['fsyncSync', 'writeFileSync', 'fsyncSync', 'linkSync', 'fsyncSync'])
    expectOk(createKeyFile(file))
    t.strictSame(calls.splice(0), ['fsyncSync'], 'another process may have just created it')
    expectOk(addKey(file))
    t.strictSame(calls.splice(0), ['writeFileSync', 'fsyncSync', 'renameSync', 'fsyncSync'])
    t.end()
  },
)

t.test('behind symbolic links, all directories that lead to the file are synced', (t) => {
  const directory = t.testdir({ mounted: { real: {} }, keys: {} })
  const real = newFile(join(directory, 'mounted', 'real'))
  symlinkSync(real.path, join(directory, 'keys', 'keys.json'))
  symlinkSync(join(directory, 'mounted', 'real'), join(directory, 'other'))
  const synced = syncedPaths(t)
  const expectSynced = (...names: readonly string[]) =>
    t.strictSame(
      names.filter((name) => !synced.includes(join(directory, name))),
      [],
    )
  expectOk(createKeyFile({ path: join(directory, 'keys', 'keys.json'), clock }))
  expectSynced('keys', '.', 'mounted/real', 'mounted')
  synced.length = 0
  expectOk(createKeyFile({ path: join(directory, 'other', 'new.json'), clock }))
  expectSynced('.', 'mounted/real', 'mounted')
  t.end()
})

/** The files and directories that are synced from now on. */
function syncedPaths(t: Test): string[] {
  const { openSync, fsyncSync } = fs
  const opened = new Map<number, string>()
  const synced: string[] = []
  t.intercept(fs, 'openSync', {
    value(path: string, ...rest: [string, number?]) {
      const fd = openSync(path, ...rest)
      opened.set(fd, path)
      return fd
    },
  })
  t.intercept(fs, 'fsyncSync', {
    value(fd: number) {
      synced.push(opened.get(fd) ?? '')
      fsyncSync(fd)
    },
  })
  syncBuiltinESMExports()
  t.teardown(() => syncBuiltinESMExports())
  return synced
}

t.test('a corrupted file is never replaced by a new one', (t) => {
  const path = join(t.testdir(), 'keys.json')
  writeFileSync(path, '{', { mode: 0o600 })
  t.equal(expectErr(createKeyFile({ path, clock })).code, 'key_file_not_json')
  t.equal(readFileSync(path, 'utf8'), '{')
  t.end()
})

t.test('where no file can be created, that is the error', (t) => {
  const directory = t.testdir({ file: 'not a directory' })
  t.equal(
    expectErr(createKeyFile({ path: join(directory, 'file', 'keys.json'), clock })).code,
    'key_file_not_written',
  )
  t.end()
})

t.test('several processes that create the file at the same time end with the same key', async (t) => {
  const directory = t.testdir()
  const source = new URL('../../src/keys/key-file-changes.ts', import.meta.url).href
  // The processes wait for each other before each file, so that they create it at the same time.
  const program = `
    import { createKeyFile } from ${JSON.stringify(source)}
    import { readdirSync, writeFileSync } from 'node:fs'
    const directory = ${JSON.stringify(directory)}
    const clock = { nowMicros: () => 0 }
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(directory + '/' + round + '.' + process.pid + '.ready', '')
      while (readdirSync(directory).filter((name) => name.startsWith(round + '.')).length < 3);
      const created = createKeyFile({ path: directory + '/keys-' + round + '/keys.json', clock })
      if (created.isErr()) throw new Error(created.error.message)
      const { keys } = created.value
      process.stdout.write(keys.map(({ key }) => key.export().toString('hex')).join() + ' ')
    }`
  const run = promisify(execFile)
  const runs = Array.from({ length: 3 }, () => run(process.execPath, ['--input-type=module', '-e', program]))
  const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout)
  t.match(outputs[0], /^([0-9a-f]{64} ){20}$/)
  t.equal(new Set(outputs).size, 1)
  for (let round = 0; round < 20; round += 1) {
    t.strictSame(readdirSync(join(directory, `keys-${round}`)), ['keys.json'])
  }
})

t.test('a key is added, activated and removed; a kid is never used again', (t) => {
  const file = newFile(t.testdir())
  t.equal(expectOk(addKey(file)), 2)
  t.equal(expectOk(openKeyFile(file.path)).activeKid, 1, 'adding does not activate it')
  t.equal(expectOk(activateKey(file, 2)).activeKid, 2)
  t.strictSame(kidsOf(expectOk(removeKey(file, 1))), [2])
  t.equal(expectOk(addKey(file)), 3)
  expectOk(removeKey(file, 3))
  t.equal(expectOk(addKey(file)), 4)
  t.strictSame(kidsOf(expectOk(openKeyFile(file.path))), [2, 4])
  t.strictSame(kidsOf(expectOk(removeKey(file, 7))), [2, 4], 'a missing one is not an error')
  t.end()
})

t.test('all keys differ, and stay the same when the file is rewritten', (t) => {
  const file = newFile(t.testdir())
  const [first] = expectOk(openKeyFile(file.path)).keys
  expectOk(addKey(file))
  expectOk(addKey(file))
  const keys = expectOk(openKeyFile(file.path)).keys.map(({ key }) => key.export().toString('hex'))
  t.equal(new Set(keys).size, 3)
  t.equal(keys[0], first?.key.export().toString('hex'))
  t.end()
})

t.test('the active key cannot be removed, and an unknown one cannot be activated', (t) => {
  const file = newFile(t.testdir())
  const before = readFileSync(file.path)
  t.equal(expectErr(removeKey(file, 1)).code, 'key_file_key_active')
  t.equal(expectErr(activateKey(file, 2)).code, 'key_file_kid_unknown')
  t.same(readFileSync(file.path), before)
  t.strictSame(readdirSync(dirname(file.path)), ['keys.json'], 'no lock is left')
  t.end()
})

t.test('a file that is missing, exposed or corrupted is not changed', (t) => {
  const file = newFile(t.testdir())
  t.equal(expectErr(addKey({ ...file, path: `${file.path}.none` })).code, 'key_file_missing')
  chmodSync(file.path, 0o640)
  t.equal(expectErr(addKey(file)).code, 'key_file_exposed')
  chmodSync(file.path, 0o600)
  writeFileSync(file.path, '{}')
  t.equal(expectErr(addKey(file)).code, 'key_file_malformed')
  t.end()
})

t.test('behind a symbolic link the file itself is changed', (t) => {
  const directory = t.testdir({ real: {} })
  const real = newFile(join(directory, 'real'))
  const link = join(directory, 'link.json')
  symlinkSync(real.path, link)
  t.equal(expectOk(addKey({ path: link, clock })), 2)
  t.strictSame(kidsOf(expectOk(openKeyFile(real.path))), [1, 2])
  t.strictSame(readdirSync(directory), ['link.json', 'real'])
  t.end()
})

t.test(
  'a file that root changes still belongs to its owner',
  { skip: process.getuid?.() !== 0 && 'only root may give a file away' },
  (t) => {
    const file = newFile(t.testdir())
    chownSync(file.path, 12_345, 54_321)
    expectOk(addKey(file))
    t.match(statSync(file.path), { uid: 12_345, gid: 54_321 })
    t.equal(statSync(file.path).mode & 0o777, 0o600)
    t.end()
  },
)

t.test('while another process changes it, a change is refused', (t) => {
  const file = newFile(t.testdir())
  const lock = `${file.path}.lock`
  writeFileSync(lock, '')
  utimesSync(lock, noonMicros / 1e6 - 59, noonMicros / 1e6 - 59)
  t.equal(expectErr(addKey(file)).code, 'key_file_busy')
  t.strictSame(kidsOf(expectOk(openKeyFile(file.path))), [1])
  t.end()
})

t.test('a process that was suspended while it held the lock does not undo the change of another', (t) => {
  const file = newFile(t.testdir())
  let asked = 0
  const suspended = {
    nowMicros() {
      asked += 1
      // At the second call it holds the lock and makes the key. Now a minute passes, and another process changes the file.
      if (asked === 2) {
        utimesSync(`${file.path}.lock`, noonMicros / 1e6 - 60, noonMicros / 1e6 - 60)
        t.equal(expectOk(addKey(file)), 2)
        expectOk(activateKey(file, 2))
      }
      return noonMicros
    },
  }
  t.equal(expectErr(addKey({ path: file.path, clock: suspended })).code, 'key_file_busy')
  t.equal(asked, 2)
  t.equal(expectOk(openKeyFile(file.path)).activeKid, 2)
  t.strictSame(readdirSync(dirname(file.path)), ['keys.json'])
  t.end()
})

t.test(
  'a change is refused once the lock is lost, also when the other process has changed nothing yet',
  (t) => {
    const file = newFile(t.testdir())
    const before = readFileSync(file.path)
    const suspended = clockThatActs(() => {
      rmSync(`${file.path}.lock`)
      writeFileSync(`${file.path}.lock`, 'of another process')
    })
    t.equal(expectErr(addKey({ path: file.path, clock: suspended })).code, 'key_file_busy')
    t.same(readFileSync(file.path), before)
    t.end()
  },
)

t.test('a change is refused when the file was changed without the lock', (t) => {
  const file = newFile(t.testdir())
  const edited = readFileSync(file.path, 'utf8').replace('"next_kid": 2', '"next_kid": 7')
  const suspended = clockThatActs(() => writeFileSync(file.path, edited))
  t.equal(expectErr(addKey({ path: file.path, clock: suspended })).code, 'key_file_busy')
  t.equal(readFileSync(file.path, 'utf8'), edited)
  t.end()
})

/** A clock that does something when it is asked for the second time: the lock is taken then, and the new key is made. */
function clockThatActs(act: () => void) {
  let asked = 0
  return {
    nowMicros() {
      asked += 1
      if (asked === 2) act()
      return noonMicros
    },
  }
}

t.test('a file that another process creates first is used, once its name is on the disk', (t) => {
  const directory = t.testdir()
  const file = newFile(directory)
  const before = readFileSync(file.path)
  const { existsSync } = fs
  t.teardown(() => syncBuiltinESMExports())
  t.intercept(fs, 'existsSync', { value: (path: string) => path !== file.path && existsSync(path) })
  const synced = syncedPaths(t)
  expectOk(createKeyFile(file))
  t.same(readFileSync(file.path), before)
  t.ok(synced.includes(directory))
  t.strictSame(readdirSync(directory), ['keys.json'], 'the other one is not left')
  t.end()
})

t.test('a lock and temporary files that a crash left behind are removed', (t) => {
  const file = newFile(t.testdir())
  const lock = `${file.path}.lock`
  writeFileSync(lock, '')
  utimesSync(lock, noonMicros / 1e6 - 60, noonMicros / 1e6 - 60)
  const temporary = (name: string) => `.sotto-${name}-${process.pid}-0123456789abcdef.tmp`
  // After a crash in a container, the process with that id may be this one.
  const left = temporary('keys.json')
  const others = [temporary('other.json'), 'keys.json.mine.tmp']
  for (const name of [left, ...others]) writeFileSync(join(dirname(file.path), name), 'half of a ke')
  t.equal(expectOk(addKey(file)), 2)
  t.strictSame(readdirSync(dirname(file.path)).toSorted(), [...others, 'keys.json'].toSorted())
  t.end()
})

t.test('of many processes that add keys at the same time, none undoes the change of another', async (t) => {
  const file = newFile(t.testdir())
  const source = new URL('../../src/keys/key-file-changes.ts', import.meta.url).href
  const program = `
    import { addKey } from ${JSON.stringify(source)}
    const file = { path: ${JSON.stringify(file.path)}, clock: { nowMicros: () => Date.now() * 1000 } }
    const kids = []
    while (kids.length < 20) {
      const added = addKey(file)
      if (added.isOk()) kids.push(added.value)
      else if (added.error.code !== 'key_file_busy') throw new Error(added.error.message)
    }
    process.stdout.write(JSON.stringify(kids))`
  const run = promisify(execFile)
  const runs = Array.from({ length: 3 }, () => run(process.execPath, ['--input-type=module', '-e', program]))
  const added = (await Promise.all(runs)).flatMap(({ stdout }) => JSON.parse(stdout) as number[])
  const kids = Array.from({ length: 61 }, (_, index) => index + 1)
  t.strictSame(
    [1, ...added].toSorted((one, other) => one - other),
    kids,
    'no kid twice, and none lost',
  )
  t.strictSame(kidsOf(expectOk(openKeyFile(file.path))), kids)
  t.strictSame(readdirSync(dirname(file.path)), [basename(file.path)])
})

t.test(
  'a change that cannot be written leaves the file as it was',
  { skip: process.getuid?.() === 0 && 'root may write anywhere' },
  (t) => {
    const directory = t.testdir({ sealed: {} })
    const file = newFile(join(directory, 'sealed'))
    mkdirSync(join(directory, 'other'))
    chmodSync(dirname(file.path), 0o500)
    t.teardown(() => chmodSync(dirname(file.path), 0o700))
    t.equal(expectErr(addKey(file)).code, 'key_file_not_written')
    t.equal(expectOk(createKeyFile(file)).activeKid, 1, 'an existing file is used')
    t.end()
  },
)

function kidsOf({ keys }: { keys: readonly { kid: number }[] }): number[] {
  return keys.map(({ kid }) => kid)
}
