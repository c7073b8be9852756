import { execFile } from 'node:child_process'
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import t from 'tap'
import { createManualClock, noonMicros } from '@sotto/test-kit'
import { activateKey, addKey, createKeyFile, removeKey } from '../src/key-file-changes.ts'
import { openKeyFile } from '../src/key-file.ts'
import { failure, value } from './support.ts'

const clock = createManualClock(noonMicros)

function newFile(directory: string) {
  const path = join(directory, 'keys.json')
  value(createKeyFile({ path, clock }))
  return { path, clock }
}

t.test('a file that is there is used again, byte for byte', (t) => {
  const file = newFile(t.testdir())
  const before = readFileSync(file.path)
  t.equal(value(createKeyFile(file)).activeKid, 1)
  t.same(readFileSync(file.path), before)
  t.strictSame(readdirSync(dirname(file.path)), ['keys.json'], 'nothing else is left')
  t.end()
})

t.test('content is on the disk before it gets its name, and the name before anybody relies on it', (t) => {
  const file = { path: join(t.testdir(), 'keys', 'keys.json'), clock }
  const calls: string[] = []
  const names = ['writeFileSync', 'fsyncSync', 'linkSync', 'renameSync'] as const
  for (const name of names) {
    const original = fs[name] as (...args: unknown[]) => unknown
    t.intercept(fs, name, {
      value(...args: unknown[]) {
        calls.push(name)
        return original(...args)
      },
    })
  }
  syncBuiltinESMExports()
  t.teardown(() => syncBuiltinESMExports())
  value(createKeyFile(file))
  t.strictSame(calls.splice(0), ['fsyncSync', 'writeFileSync', 'fsyncSync', 'linkSync', 'fsyncSync'])
  value(createKeyFile(file))
  t.strictSame(calls.splice(0), ['fsyncSync'], 'a file that another process has just made')
  value(addKey(file))
  t.strictSame(calls.splice(0), ['writeFileSync', 'fsyncSync', 'renameSync', 'fsyncSync'])
  t.end()
})

t.test('a damaged file is never replaced by a new one', (t) => {
  const path = join(t.testdir(), 'keys.json')
  writeFileSync(path, '{', { mode: 0o600 })
  t.equal(failure(createKeyFile({ path, clock })).code, 'key_file_not_json')
  t.equal(readFileSync(path, 'utf8'), '{')
  t.end()
})

t.test('where no file can be made the fault says so', (t) => {
  const directory = t.testdir({ file: 'not a directory' })
  t.equal(
    failure(createKeyFile({ path: join(directory, 'file', 'keys.json'), clock })).code,
    'key_file_not_written',
  )
  t.end()
})

t.test('of several processes that make it at once each ends with the same key', async (t) => {
  const directory = t.testdir()
  const source = new URL('../src/key-file-changes.ts', import.meta.url).href
  // They wait for each other in front of each file, so that they meet in it.
  const program = `
    import { createKeyFile } from ${JSON.stringify(source)}
    import { readdirSync, writeFileSync } from 'node:fs'
    const directory = ${JSON.stringify(directory)}
    const clock = { nowMicros: () => 0 }
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(directory + '/' + round + '.' + process.pid + '.ready', '')
      while (readdirSync(directory).filter((name) => name.startsWith(round + '.')).length < 3);
      const { keys } = createKeyFile({ path: directory + '/keys-' + round + '/keys.json', clock })._unsafeUnwrap()
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

t.test('a key is added, made active, and taken away; a kid is never used again', (t) => {
  const file = newFile(t.testdir())
  t.equal(value(addKey(file)), 2)
  t.equal(value(openKeyFile(file.path)).activeKid, 1, 'adding does not make it active')
  t.equal(value(activateKey(file, 2)).activeKid, 2)
  t.strictSame(kidsOf(value(removeKey(file, 1))), [2])
  t.equal(value(addKey(file)), 3)
  value(removeKey(file, 3))
  t.equal(value(addKey(file)), 4)
  t.strictSame(kidsOf(value(openKeyFile(file.path))), [2, 4])
  t.strictSame(kidsOf(value(removeKey(file, 7))), [2, 4], 'one that is not there is fine')
  t.end()
})

t.test('each key is another one, and stays the same when the file is rewritten', (t) => {
  const file = newFile(t.testdir())
  const [first] = value(openKeyFile(file.path)).keys
  value(addKey(file))
  value(addKey(file))
  const keys = value(openKeyFile(file.path)).keys.map(({ key }) => key.export().toString('hex'))
  t.equal(new Set(keys).size, 3)
  t.equal(keys[0], first?.key.export().toString('hex'))
  t.end()
})

t.test('the active key stays, and an unknown one cannot become active', (t) => {
  const file = newFile(t.testdir())
  const before = readFileSync(file.path)
  t.equal(failure(removeKey(file, 1)).code, 'key_file_key_active')
  t.equal(failure(activateKey(file, 2)).code, 'key_file_kid_unknown')
  t.same(readFileSync(file.path), before)
  t.strictSame(readdirSync(dirname(file.path)), ['keys.json'], 'no lock is left')
  t.end()
})

t.test('a file that is missing, exposed or damaged is not changed', (t) => {
  const file = newFile(t.testdir())
  t.equal(failure(addKey({ ...file, path: `${file.path}.none` })).code, 'key_file_missing')
  chmodSync(file.path, 0o640)
  t.equal(failure(addKey(file)).code, 'key_file_exposed')
  chmodSync(file.path, 0o600)
  writeFileSync(file.path, '{}')
  t.equal(failure(addKey(file)).code, 'key_file_malformed')
  t.end()
})

t.test('behind a symbolic link the file itself is changed', (t) => {
  const directory = t.testdir({ real: {} })
  const real = newFile(join(directory, 'real'))
  const link = join(directory, 'link.json')
  symlinkSync(real.path, link)
  t.equal(value(addKey({ path: link, clock })), 2)
  t.strictSame(kidsOf(value(openKeyFile(real.path))), [1, 2])
  t.strictSame(readdirSync(directory), ['link.json', 'real'])
  t.end()
})

t.test('while another process changes it, a change is refused', (t) => {
  const file = newFile(t.testdir())
  const lock = `${file.path}.lock`
  writeFileSync(lock, '')
  utimesSync(lock, noonMicros / 1e6 - 59, noonMicros / 1e6 - 59)
  t.equal(failure(addKey(file)).code, 'key_file_busy')
  t.strictSame(kidsOf(value(openKeyFile(file.path))), [1])
  t.end()
})

t.test('a process that slept on its lock does not undo what another one did meanwhile', (t) => {
  const file = newFile(t.testdir())
  let asked = 0
  const sleepy = {
    nowMicros() {
      asked += 1
      // Asked for the second time it holds the lock and makes the key: now a minute passes, and another process comes.
      if (asked === 2) {
        utimesSync(`${file.path}.lock`, noonMicros / 1e6 - 60, noonMicros / 1e6 - 60)
        t.equal(value(addKey(file)), 2)
        value(activateKey(file, 2))
      }
      return noonMicros
    },
  }
  t.equal(failure(addKey({ path: file.path, clock: sleepy })).code, 'key_file_busy')
  t.equal(asked, 2)
  t.equal(value(openKeyFile(file.path)).activeKid, 2)
  t.strictSame(readdirSync(dirname(file.path)), ['keys.json'])
  t.end()
})

t.test('a lock and half-written files that a crash left behind are cleared away', (t) => {
  const file = newFile(t.testdir())
  const lock = `${file.path}.lock`
  writeFileSync(lock, '')
  utimesSync(lock, noonMicros / 1e6 - 60, noonMicros / 1e6 - 60)
  writeFileSync(`${file.path}.0123456789abcdef.tmp`, 'half of a ke')
  const others = ['keys.json.mine.tmp', 'other.json.0123456789abcdef.tmp']
  for (const name of others) writeFileSync(join(dirname(file.path), name), 'not ours')
  t.equal(value(addKey(file)), 2)
  t.strictSame(readdirSync(dirname(file.path)).toSorted(), ['keys.json', ...others])
  t.end()
})

t.test('of many processes that add keys at once none undoes what another did', async (t) => {
  const file = newFile(t.testdir())
  const source = new URL('../src/key-file-changes.ts', import.meta.url).href
  const program = `
    import { addKey } from ${JSON.stringify(source)}
    const file = { path: ${JSON.stringify(file.path)}, clock: { nowMicros: () => Date.now() * 1000 } }
    const kids = []
    for (let round = 0; round < 20; round += 1) addKey(file).map((kid) => kids.push(kid))
    process.stdout.write(JSON.stringify(kids))`
  const run = promisify(execFile)
  const runs = Array.from({ length: 3 }, () => run(process.execPath, ['--input-type=module', '-e', program]))
  const added = (await Promise.all(runs)).flatMap(({ stdout }) => JSON.parse(stdout) as number[])
  t.ok(added.length >= 20, `${added.length} were added`)
  t.equal(new Set(added).size, added.length, 'no kid twice')
  t.strictSame(
    kidsOf(value(openKeyFile(file.path))),
    [1, ...added].toSorted((one, other) => one - other),
  )
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
    t.equal(failure(addKey(file)).code, 'key_file_not_written')
    t.equal(value(createKeyFile(file)).activeKid, 1, 'and a file in a sealed place is used')
    t.end()
  },
)

function kidsOf({ keys }: { keys: readonly { kid: number }[] }): number[] {
  return keys.map(({ kid }) => kid)
}
