import { createHash } from 'node:crypto'
import { decrypt } from 'http_ece'
import t from 'tap'
import {
  isSealed,
  keyText,
  lockOf,
  newKey,
  openNote,
  proofOf,
  readKey,
  sealNote,
  type Content,
} from '../src/index.ts'
import { sealRecord } from '../src/records.ts'
import { counted, fromBase64url, randomFrom, toBase64url } from './support/bytes.ts'
import { readVectors } from './support/read-vectors.ts'

const vectors = readVectors()
const key = counted(16)
const salt = counted(176).slice(160)
const bodyOf = (note: string) => fromBase64url(note.split('.')[2] ?? '')

t.test('the key of a link is 22 characters, with what may trail a link', (t) => {
  t.equal(keyText(key), vectors.key)
  t.strictSame(readKey(vectors.key), key)
  for (const trailing of ['.', ')', '…', '"', '/', ',.)', '%E2%80%A6', '%2e%22'])
    t.strictSame(readKey(vectors.key + trailing), key, trailing)
  // The last character of 16 bytes has four bits that are none of them: B is as A, and would be a second spelling.
  const twice = 'AAECAwQFBgcICQoLDA0ODx'
  for (const other of [
    '',
    vectors.key.slice(1),
    `${vectors.key}A`,
    `${vectors.key} x`,
    `${vectors.key}.x`,
    twice,
    '='.repeat(22),
  ])
    t.equal(readKey(other), undefined, other)
  t.equal(newKey().length, 16)
  t.not(keyText(newKey()), keyText(newKey()))
  t.end()
})

t.test('the proof of a key says nothing about it, and its digest is in the note', async (t) => {
  t.equal(await proofOf(key), vectors.proof)
  const note = (await sealNote(key, await lockOf(key), { text: 'a', files: [] })) ?? ''
  t.equal(
    note.split('.')[1],
    createHash('sha256').update(`sotto/v1/sealed${vectors.proof}`).digest('base64url'),
  )
})

for (const { text, password, files = [], note, sentPassword } of vectors.notes)
  t.test(
    `the note of ${JSON.stringify(text.slice(0, 20))} is sealed as everywhere, and read again`,
    async (t) => {
      const content: Content = {
        text,
        files: files.map(([fileKey, name, size, type]) => ({
          key: fromBase64url(fileKey),
          name,
          size,
          type,
        })),
      }
      const lock = await lockOf(key, password)
      t.equal(lock.password, sentPassword)
      const plain = new TextEncoder().encode(files.length === 0 ? text : `${text}\0${JSON.stringify(files)}`)
      t.strictSame(await sealRecord(lock.secret, plain, { salt }), bodyOf(note))
      t.ok(isSealed(note))
      t.strictSame(await openNote(lock, note), content)
      const whole = decrypt(Buffer.from(bodyOf(note)), {
        version: 'aes128gcm',
        key: Buffer.from(lock.secret),
      })
      t.strictSame(new Uint8Array(whole), plain, 'as another program reads it')
      if (text === '' && files.length === 0) return
      t.strictSame(await openNote(lock, (await sealNote(key, lock, content)) ?? ''), content)
    },
  )

t.test(
  'a password is the same however its characters are composed, and another one opens nothing',
  async (t) => {
    const lock = await lockOf(key, 'pa\u0301ss')
    t.strictSame(lock, await lockOf(key, 'p\u00e1ss'))
    t.equal(lock.password?.length, 43)
    const note = (await sealNote(key, lock, { text: 'x', files: [] })) ?? ''
    t.equal(await openNote(await lockOf(key, 'pass'), note), undefined)
    t.equal(await openNote(await lockOf(key), note), undefined)
    t.strictSame(await lockOf(key, ''), await lockOf(key))
  },
)

t.test('a content that cannot be sealed is refused', async (t) => {
  const lock = await lockOf(key)
  const none = [
    { text: '', files: [] },
    { text: 'a\0b', files: [] },
    { text: '\ud800', files: [] },
  ]
  for (const content of none) t.equal(await sealNote(key, lock, content), undefined, JSON.stringify(content))
  const file = { key: newKey(), name: 'a', size: 0, type: 'text/plain' }
  t.type(await sealNote(key, lock, { text: '', files: [file] }), 'string', 'an empty text with a file')
})

t.test('what was sealed by another program is read only as the format says', async (t) => {
  const lock = await lockOf(key)
  const [, check] = (await sealNote(key, lock, { text: 'a', files: [] }))?.split('.') ?? []
  const noteOf = async (plain: string | Uint8Array<ArrayBuffer>, keyId = new Uint8Array()) => {
    const bytes = typeof plain === 'string' ? new TextEncoder().encode(plain) : plain
    return `sotto-sealed-1.${check}.${toBase64url(await sealRecord(lock.secret, bytes, { keyId }))}`
  }
  const list = (...items: readonly unknown[]) => `a\0${JSON.stringify(items)}`
  const fileKey = keyText(key)
  const wrong = {
    'bytes that are not UTF-8': Uint8Array.of(0xff),
    'no list': 'a\0b',
    'no array': 'a\0{}',
    null: 'a\0null',
    'no array of a file': list('x'),
    'a key that is too short': list(['AAAA', 'n', 1, 't']),
    'a key that is no text': list([1, 'n', 1, 't']),
    'a name that is no text': list([fileKey, 1, 1, 't']),
    'a size that is none': list([fileKey, 'n', -1, 't']),
    'a size that is not whole': list([fileKey, 'n', 0.5, 't']),
    'no type': list([fileKey, 'n', 1]),
  }
  for (const [what, plain] of Object.entries(wrong))
    t.equal(await openNote(lock, await noteOf(plain)), undefined, what)
  t.equal(await openNote(lock, await noteOf('a', Uint8Array.of(1))), undefined, 'with a key id')
  t.strictSame(await openNote(lock, await noteOf('a')), { text: 'a', files: [] })
  t.strictSame(await openNote(lock, await noteOf(list([fileKey, 'n', 1, 't']))), {
    ...{ text: 'a', files: [{ key, name: 'n', size: 1, type: 't' }] },
  })
})

t.test('of 10,000 notes that were cut, lengthened, mixed or changed none is read', async (t) => {
  const lock = await lockOf(key)
  const notes = await Promise.all(['first', 'second'].map((text) => sealNote(key, lock, { text, files: [] })))
  const [note = '', other = ''] = notes
  const random = randomFrom(20_261_129)
  const pick = (length: number) => Math.floor(random() * length)
  const [body, rest] = [bodyOf(note), bodyOf(other)]
  const wrap = (bytes: Uint8Array) => `${note.slice(0, note.lastIndexOf('.') + 1)}${toBase64url(bytes)}`
  const changes: readonly (() => string)[] = [
    () => wrap(body.slice(0, pick(body.length))),
    () => wrap(Uint8Array.from([...body, ...rest.slice(0, 1 + pick(40))])),
    () => wrap(body.map((byte, at) => (at < 1 + pick(body.length - 1) ? byte : (rest[at] ?? 0)))),
    () => {
      const at = pick(body.length)
      return wrap(body.map((byte, each) => (each === at ? byte ^ (1 << pick(8)) : byte)))
    },
    () => {
      const at = note.lastIndexOf('.') + 1 + pick(note.length - note.lastIndexOf('.') - 1)
      return `${note.slice(0, at)}${note.slice(at + 1)}`
    },
  ]
  const read: string[] = []
  for (let number = 0; number < 10_000; number++) {
    const changed = changes[number % changes.length]?.() ?? ''
    if (changed !== note && (await openNote(lock, changed)) !== undefined) read.push(changed)
  }
  t.strictSame(read, [])
  t.strictSame(await openNote(lock, note), { text: 'first', files: [] }, 'the unchanged one is')
})
