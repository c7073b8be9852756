import { randomBytes } from 'node:crypto'
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { createManualClock, expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { createKeyFile } from '../../src/keys/key-file-changes.ts'
import { keyFileText, openKeyFile } from '../../src/keys/key-file.ts'

const clock = createManualClock(noonMicros)
const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const entry = (kid: number, fields = {}) => ({
  kid,
  key: key(kid),
  created_at: '2025-10-09T08:53:20.123Z',
  ...fields,
})
const sound = { version: 1, active_kid: 2, next_kid: 4, keys: [entry(2), entry(1)] }

function write(directory: string, content: unknown, mode = 0o600): string {
  const path = join(directory, 'keys.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode })
  chmodSync(path, mode)
  return path
}

t.test('a sound file is read, with its keys by kid ascending', (t) => {
  const file = expectOk(openKeyFile(write(t.testdir(), sound)))
  t.equal(file.activeKid, 2)
  t.equal(file.nextKid, 4)
  t.strictSame(
    file.keys.map(({ kid, createdAt, key }) => [kid, createdAt, key.export()]),
    [
      [1, '2025-10-09T08:53:20.123Z', Buffer.alloc(32, 1)],
      [2, '2025-10-09T08:53:20.123Z', Buffer.alloc(32, 2)],
    ],
  )
  t.end()
})

t.test('what is written is read back the same', (t) => {
  const directory = t.testdir()
  const text = keyFileText(expectOk(openKeyFile(write(directory, sound))))
  t.equal(keyFileText(expectOk(openKeyFile(write(directory, text)))), text)
  t.equal(text, `${JSON.stringify({ ...sound, keys: [entry(1), entry(2)] }, undefined, 2)}\n`)
  t.end()
})

t.test('a symbolic link and a mode of 0400 are accepted', (t) => {
  const directory = t.testdir()
  const path = write(directory, sound, 0o400)
  symlinkSync(path, join(directory, 'link.json'))
  t.ok(openKeyFile(join(directory, 'link.json')).isOk())
  t.end()
})

t.test('a file on which anybody but its owner has a permission is refused', (t) => {
  const directory = t.testdir()
  for (const mode of [0o640, 0o604, 0o660, 0o602, 0o644, 0o610]) {
    t.equal(expectErr(openKeyFile(write(directory, sound, mode))).code, 'key_file_exposed', mode.toString(8))
  }
  t.end()
})

t.test('what is not a file is refused without waiting', (t) => {
  const directory = t.testdir()
  t.equal(expectErr(openKeyFile(join(directory, 'none.json'))).code, 'key_file_missing')
  t.equal(expectErr(openKeyFile(join(directory, 'no', 'such.json'))).code, 'key_file_missing')
  mkdirSync(join(directory, 'folder'), { mode: 0o700 })
  t.equal(expectErr(openKeyFile(join(directory, 'folder'))).code, 'key_file_unreadable')
  execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', join(directory, 'fifo')])
  t.equal(expectErr(openKeyFile(join(directory, 'fifo'))).code, 'key_file_unreadable')
  t.equal(
    expectErr(openKeyFile(write(directory, ' '.repeat(1_048_577)))).code,
    'key_file_unreadable',
    'too large',
  )
  t.ok(openKeyFile(write(directory, JSON.stringify(sound).padEnd(1_048_576))).isOk(), 'just small enough')
  const below = expectErr(openKeyFile(join(directory, 'keys.json', 'below')))
  t.equal(below.code, 'key_file_unreadable')
  t.match(below.message, /\(ENOTDIR\)/)
  t.end()
})

t.test('a file that is read is closed again', (t) => {
  const path = write(t.testdir(), sound)
  const open = () => readdirSync('/dev/fd').length
  const before = open()
  for (let time = 0; time < 10; time += 1) expectOk(openKeyFile(path))
  t.equal(open(), before)
  t.end()
})

t.test('a file is read whole, also byte by byte, and to its end when it became shorter', (t) => {
  const directory = t.testdir()
  const { readSync } = fs
  let length = Infinity
  // What is registered first runs last: once the function is restored, the modules see it again.
  t.teardown(() => syncBuiltinESMExports())
  t.intercept(fs, 'readSync', {
    value(fd: number, bytes: Buffer, at: number, count: number, position: number) {
      if (at + count > bytes.length) throw new RangeError('there is no room for so much')
      return readSync(fd, bytes, at, Math.min(count, 1, length - position), position)
    },
  })
  syncBuiltinESMExports()
  const text = JSON.stringify(sound)
  t.equal(expectOk(openKeyFile(write(directory, text))).activeKid, 2)
  length = text.length
  t.equal(expectOk(openKeyFile(write(directory, `${text}   `))).activeKid, 2)
  t.end()
})

t.test('kids are whole numbers from 1 to 2^31 - 1', (t) => {
  const directory = t.testdir()
  const last = 2 ** 31 - 1
  t.equal(expectOk(openKeyFile(write(directory, { ...sound, next_kid: last }))).nextKid, last)
  for (const next of [2 ** 31, '4', 4.5, null]) {
    const path = write(directory, { ...sound, next_kid: next })
    t.equal(expectErr(openKeyFile(path)).code, 'key_file_malformed', String(next))
  }
  t.end()
})

t.test('each error has its code, and no message reveals the content of the file', (t) => {
  const directory = t.testdir()
  const short = randomBytes(31).toString('base64')
  const text = JSON.stringify(sound)
  const cases: [code: string, content: unknown][] = [
    ['key_file_not_json', ''],
    ['key_file_not_json', text.slice(0, -1)],
    ['key_file_not_json', 'kid 1: secret'],
    ['key_file_malformed', '[]'],
    ['key_file_malformed', 'null'],
    ['key_file_malformed', { ...sound, version: undefined }],
    ['key_file_malformed', { ...sound, version: '1' }],
    ['key_file_version_unknown', { ...sound, version: 2 }],
    ['key_file_malformed', { ...sound, active_kid: 3 }],
    ['key_file_malformed', { ...sound, active_kid: '2' }],
    ['key_file_malformed', { ...sound, next_kid: 2 }],
    ['key_file_malformed', { ...sound, next_kid: undefined }],
    ['key_file_malformed', { ...sound, extra: true }],
    ['key_file_malformed', { ...sound, keys: [] }],
    ['key_file_malformed', { ...sound, keys: {} }],
    ['key_file_malformed', { ...sound, keys: [null] }],
    ['key_file_malformed', { ...sound, keys: [entry(2, { extra: true })] }],
    ['key_file_malformed', { ...sound, keys: [entry(2), entry(1, { kid: 0 })] }],
    ['key_file_malformed', { ...sound, keys: [entry(2), entry(1, { kid: 1.5 })] }],
    ['key_file_malformed', { ...sound, keys: [entry(2), entry(1, { kid: 2 ** 31 })] }],
    ['key_file_malformed', { ...sound, keys: [entry(2, { created_at: 5 })] }],
    ['key_file_malformed', { ...sound, keys: [entry(2, { key: 5 })] }],
    ['key_file_kid_duplicate', { ...sound, keys: [entry(2), entry(2, { key: key(9) })] }],
    ['key_file_key_malformed', { ...sound, keys: [entry(2, { key: short })] }],
    ['key_file_key_malformed', { ...sound, keys: [entry(2, { key: key(2).slice(0, -1) })] }],
    ['key_file_key_malformed', { ...sound, keys: [entry(2, { key: `${key(2)}AAAA` })] }],
    ['key_file_key_malformed', { ...sound, keys: [entry(2, { key: ` ${key(2)}` })] }],
    ['key_file_key_malformed', { ...sound, keys: [entry(2), entry(1, { key: '' })] }],
  ]
  for (const [code, content] of cases) {
    const path = write(directory, content)
    const error = expectErr(openKeyFile(path))
    t.equal(error.code, code, JSON.stringify(content).slice(0, 60))
    t.match(error.message, /^[^.].*\.$/)
    const message = error.message.replaceAll(path, '')
    for (const secret of [short, key(1), key(2), 'secret', 'AgIC', 'AQEB']) t.notOk(message.includes(secret))
  }
  t.end()
})

t.test('a new file and its new directories can be used by their owner only', (t) => {
  const directory = join(t.testdir(), 'deep', 'keys')
  const path = join(directory, 'sotto-keys.json')
  // Whatever the umask.
  const umask = process.umask(0)
  t.teardown(() => process.umask(umask))
  const file = expectOk(createKeyFile({ path, clock }))
  t.equal(statSync(path).mode & 0o777, 0o600)
  for (const made of [directory, join(directory, '..')]) t.equal(statSync(made).mode & 0o777, 0o700)
  t.equal(file.activeKid, 1)
  const written = JSON.parse(readFileSync(path, 'utf8')) as typeof sound
  t.match(written, {
    version: 1,
    active_kid: 1,
    next_kid: 2,
    keys: [{ kid: 1, created_at: '2025-10-09T08:53:20.123Z' }],
  })
  t.equal(Buffer.from(written.keys[0]!.key, 'base64').length, 32)
  t.end()
})
