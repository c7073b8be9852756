import { createSecretKey } from 'node:crypto'
import t from 'tap'
import type { Ciphertext, StoredNote, StoredSecret } from '@sotto/core'
import { decryptBlob } from '../../src/shared/aead.ts'
import { noteData, wrappedKeyData } from '../../src/shared/associated-data.ts'
import { expectErr, expectOk } from '@sotto/test-kit'
import { makeWorld, plainSecret, rotate, stored, withOneByteChanged, type World } from '../support.ts'

const kinds = [
  { name: 'a draft', given: {} },
  { name: 'a shared secret', given: { shared: true, openLimit: 1 } },
  { name: 'a draft with a password', given: { password: 'p' } },
  { name: 'a shared secret with a password', given: { shared: true, password: 'p' } },
]

/** Columns that are not bound to the wrapped key. */
const boundToHeadOnly = ['folderId', 'createdAtMicros', 'link.createdAtMicros']

// Each of these fails when a field is left out of the associated data, or when there is no associated data.
for (const { name, given } of kinds) {
  t.test(`${name}: a changed column that is bound to the head is corruption`, async (t) => {
    const world = makeWorld(t.testdir())
    const kid = await rotate(world.ring)
    const { secret } = await stored(world.secretCipher, plainSecret(world, given))
    t.equal(secret.kid, kid)
    t.ok(world.secretCipher.decryptHead(secret).isOk())
    for (const [column, changed] of changes(world, secret)) {
      const error = expectErr(world.secretCipher.decryptHead(changed))
      t.same(error, { code: 'data_damaged', what: 'secret.head', id: changed.id }, column)
    }
  })

  t.test(`${name}: a changed column that is bound to the note is corruption`, async (t) => {
    const world = makeWorld(t.testdir())
    await rotate(world.ring)
    const { secret, note } = await stored(world.secretCipher, plainSecret(world, given))
    t.ok((await world.secretCipher.decryptNote(secret, note, 'p')).isOk())
    for (const [column, changed] of changes(world, secret)) {
      for (const password of ['p', 'wrong', undefined]) {
        const answer = await world.secretCipher.decryptNote(changed, note, password)
        if (boundToHeadOnly.includes(column))
          t.not(answer.isErr() && answer.error.code, 'data_damaged', column)
        else t.same(expectErr(answer), { code: 'data_damaged', what: 'secret.wrap', id: changed.id }, column)
      }
    }
  })

  t.test(`${name}: a change of any byte of a blob is corruption`, async (t) => {
    const world = makeWorld(t.testdir())
    const { secret, note } = await stored(world.secretCipher, plainSecret(world, given))
    const seen = new Set<string>()
    for (const headCiphertext of withOneByteChanged(secret.headCiphertext)) {
      seen.add(`head: ${expectErr(world.secretCipher.decryptHead({ ...secret, headCiphertext })).code}`)
    }
    for (const wrappedKey of withOneByteChanged(note.wrappedKey)) {
      // Found before anything is hashed, so the password does not matter.
      for (const password of ['p', 'wrong', undefined]) {
        seen.add(`wrapped key: ${await codeOf(world, secret, { ...note, wrappedKey }, password)}`)
      }
    }
    for (const changed of withOneByteChanged(note.note)) {
      seen.add(`note: ${await codeOf(world, secret, { ...note, note: changed }, 'p')}`)
    }
    t.strictSame([...seen].sort(), ['head: data_damaged', 'note: data_damaged', 'wrapped key: data_damaged'])
  })
}

// Promise (Sealed at rest): Corruption of a note with a password is found without the password
t.test('corruption of a locked note is found without the password, and with a wrong one', async (t) => {
  const world = makeWorld(t.testdir())
  const { secret, note } = await stored(world.secretCipher, plainSecret(world, { password: 'p' }))
  const corrupted = { ...note, note: note.note.subarray(1) as Ciphertext }
  for (const password of [undefined, 'wrong', 'p'])
    t.equal(await codeOf(world, secret, corrupted, password), 'data_damaged')
})

t.test('parts of another secret of the same account do not fit', async (t) => {
  const world = makeWorld(t.testdir())
  const plain = plainSecret(world, { shared: true })
  const one = await stored(world.secretCipher, plain)
  const other = await stored(world.secretCipher, { ...plain, row: { ...plain.row, id: world.make.uuid() } })
  const swaps: [string, StoredSecret, StoredNote][] = [
    ['wrapped key and note', one.secret, other.note],
    ['wrapped key', one.secret, { ...one.note, wrappedKey: other.note.wrappedKey }],
    ['note', one.secret, { ...one.note, note: other.note.note }],
  ]
  for (const [name, secret, note] of swaps) {
    t.equal(await codeOf(world, secret, note, undefined), 'data_damaged', name)
  }
  t.ok(
    world.secretCipher.decryptHead({ ...one.secret, headCiphertext: other.secret.headCiphertext }).isErr(),
    'head',
  )
  t.ok(
    world.secretCipher.decryptHead({ ...one.secret, headCiphertext: one.note.wrappedKey }).isErr(),
    'a wrapped key in place of a head',
  )
})

t.test('rebinding refuses a corrupted wrapped key, and one of a changed row', async (t) => {
  const world = makeWorld(t.testdir())
  await rotate(world.ring)
  const { secret, note } = await stored(
    world.secretCipher,
    plainSecret(world, { shared: true, password: 'p' }),
  )
  const to = { link: secret.link, head: expectOk(world.secretCipher.decryptHead(secret)) }
  t.ok(world.secretCipher.rebind({ from: secret, wrappedKey: note.wrappedKey, ...to }).isOk())
  for (const [column, changed] of changes(world, secret)) {
    if (boundToHeadOnly.includes(column)) continue
    const error = expectErr(world.secretCipher.rebind({ from: changed, wrappedKey: note.wrappedKey, ...to }))
    t.same(error, { code: 'data_damaged', what: 'secret.wrap', id: changed.id }, column)
  }
  for (const wrappedKey of withOneByteChanged(note.wrappedKey)) {
    const error = expectErr(world.secretCipher.rebind({ from: secret, wrappedKey, ...to }))
    if (error.code !== 'data_damaged' || error.what !== 'secret.wrap') t.fail(`a changed wrap: ${error.code}`)
  }
})

t.test('database and key file are not enough to read a note with a password', async (t) => {
  const noteKeys: Buffer[] = []
  const world = makeWorld(t.testdir(), {
    random(count) {
      const bytes = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(count)))
      if (count === 32) noteKeys.push(Buffer.from(bytes))
      return bytes
    },
  })
  const given = { password: 'hard to guess', note: 'NoteNote', shared: true }
  const { secret, note } = await stored(world.secretCipher, plainSecret(world, given))
  const [noteKey] = noteKeys
  // Everything that the ring decrypts: the head, and the content of the wrapped key.
  const ringKey = world.ring.find(secret.kid)!
  const head = expectOk(world.secretCipher.decryptHead(secret))
  const key = ringKey.accountKey('secret.wrap', secret.accountId)
  const content = decryptBlob({
    key,
    associatedData: wrappedKeyData(secret, secret.kid),
    blob: note.wrappedKey,
  })!
  t.equal(content.length, 16 + 13 + 32 + 61 + 32)
  const known = [content, Buffer.from(JSON.stringify(head)), note.note, secret.headCiphertext].map((each) =>
    Buffer.from(each),
  )
  for (const bytes of known) {
    t.notOk(bytes.includes(noteKey!), 'the note key is not in it')
    t.notOk(bytes.includes('NoteNote'))
    // No part of it decrypts the note either.
    for (let at = 0; at + 32 <= bytes.length; at += 1) {
      const guess = createSecretKey(bytes.subarray(at, at + 32))
      const associatedData = noteData('secret.note', secret.id, secret.accountId)
      if (decryptBlob({ key: guess, associatedData, blob: note.note }) !== undefined)
        t.fail('a part decrypts it')
    }
  }
  const associatedData = noteData('secret.note', secret.id, secret.accountId)
  t.ok(
    decryptBlob({ key: createSecretKey(noteKey!), associatedData, blob: note.note }),
    'the check can succeed',
  )
})

async function codeOf(
  { secretCipher }: World,
  secret: StoredSecret,
  note: StoredNote,
  password: string | undefined,
): Promise<string> {
  const answer = await secretCipher.decryptNote(secret, note, password)
  return answer.isOk() ? 'Ok' : answer.error.code
}

/** The secret with each bound column changed in turn, as a person who can write the database might do. */
function changes({ make }: World, secret: StoredSecret): [column: string, changed: StoredSecret][] {
  const { link } = secret
  const always: [string, StoredSecret][] = [
    ['id', { ...secret, id: make.uuid() }],
    ['accountId', { ...secret, accountId: make.uuid() }],
    ['folderId', { ...secret, folderId: make.uuid() }],
    ['createdAtMicros', { ...secret, createdAtMicros: secret.createdAtMicros + 1 }],
    ['openLimit', { ...secret, openLimit: (secret.openLimit ?? 0) + 1 }],
    ['openLimit 0', { ...secret, openLimit: 0 }],
    ['openLimit absent', { ...secret, openLimit: secret.openLimit === undefined ? 2 : undefined }],
    ['hasPassword', { ...secret, hasPassword: !secret.hasPassword }],
    ['kid', { ...secret, kid: 1 }],
  ]
  if (link === undefined) return [...always, ['link', { ...secret, link: make.link() }]]
  const { createdAtMicros, expiresAtMicros, lookup } = link
  return [
    ...always,
    ['link', { ...secret, link: undefined }],
    ['link.lookup', { ...secret, link: { ...link, lookup: make.bytes(32) } }],
    ['link.lookup cut', { ...secret, link: { ...link, lookup: lookup.subarray(0, 31) } }],
    ['link.lookup empty', { ...secret, link: { ...link, lookup: new Uint8Array(0) } }],
    ['link.createdAtMicros', { ...secret, link: { ...link, createdAtMicros: createdAtMicros + 1 } }],
    ['link.expiresAtMicros', { ...secret, link: { ...link, expiresAtMicros: expiresAtMicros + 1 } }],
  ]
}
