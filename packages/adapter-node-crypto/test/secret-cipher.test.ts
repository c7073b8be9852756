import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import type { StoredSecret } from '@sotto/core'
import { failure, makeWorld, plainSecret, rotate, stored, value } from './support.ts'

t.test('head and note are given back exactly', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher } = world
  const text = fc.string({ unit: 'grapheme', maxLength: 400 })
  const password = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(text, text, password, fc.boolean(), async (label, note, password, shared) => {
      const given = { label, note, shared, ...(password === undefined ? {} : { password }) }
      const plain = plainSecret(world, given)
      const kept = await stored(secretCipher, plain)
      t.strictSame(value(secretCipher.decryptHead(kept.secret)), plain.head)
      t.equal(value(await secretCipher.decryptNote(kept.secret, kept.note, password)), note)
    }),
    { numRuns: 60 },
  )
})

t.test('large notes too, and those with a byte order mark, line ends and control characters', async (t) => {
  const world = makeWorld(t.testdir())
  for (const note of ['\ufeffa\r\nb\n', '\u0001\u007f', 'ü'.repeat(32_768), 'x'.repeat(1_048_576)]) {
    const kept = await stored(world.secretCipher, plainSecret(world, { note }))
    t.ok(value(await world.secretCipher.decryptNote(kept.secret, kept.note, undefined)) === note)
  }
})

t.test('two encryptions of the same secret have nothing in common', async (t) => {
  const world = makeWorld(t.testdir())
  const plain = plainSecret(world, { password: 'p' })
  const [one, other] = [await stored(world.secretCipher, plain), await stored(world.secretCipher, plain)]
  t.notSame(one.secret.head, other.secret.head)
  t.notSame(one.note.wrap, other.note.wrap)
  t.notSame(one.note.note, other.note.note)
  t.equal(
    failure(await world.secretCipher.decryptNote(one.secret, { ...one.note, note: other.note.note }, 'p'))
      .code,
    'data_damaged',
    'each note has a key of its own',
  )
})

t.test('a password is asked for, told right from wrong, and ignored where there is none', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher } = world
  const locked = await stored(secretCipher, plainSecret(world, { password: 'right' }))
  const open = (password: string | undefined) =>
    secretCipher.decryptNote(locked.secret, locked.note, password)
  t.equal(value(await open('right')), 'the note')
  t.same(failure(await open(undefined)), { code: 'password_required' })
  for (const wrong of ['', 'Right', 'right ', 'right\0', 'wrong', '\ud800']) {
    t.same(failure(await open(wrong)), { code: 'password_wrong' }, JSON.stringify(wrong))
  }
  const plain = await stored(secretCipher, plainSecret(world))
  t.equal(value(await secretCipher.decryptNote(plain.secret, plain.note, 'any')), 'the note')
})

t.test('a password is the same however its accents are composed', async (t) => {
  const world = makeWorld(t.testdir())
  for (const [given, typed] of [
    ['Caf\u00e9', 'Cafe\u0301'],
    ['Cafe\u0301', 'Caf\u00e9'],
  ] as const) {
    const kept = await stored(world.secretCipher, plainSecret(world, { password: given }))
    t.equal(value(await world.secretCipher.decryptNote(kept.secret, kept.note, typed)), 'the note')
  }
})

t.test('the head tells nothing by the link of a draft, nor does its length', async (t) => {
  const world = makeWorld(t.testdir())
  const lengths = new Set<number>()
  for (const shared of [true, false]) {
    for (const label of ['a', 'x'.repeat(64)]) {
      const { secret } = await stored(world.secretCipher, plainSecret(world, { label, shared }))
      lengths.add(secret.head.length)
    }
  }
  t.equal(lengths.size, 1)
})

t.test('notes within a bucket are of one length, with a password or without', async (t) => {
  const world = makeWorld(t.testdir())
  const lengthOf = async (note: string, password?: string) => {
    const given = password === undefined ? { note } : { note, password }
    return (await stored(world.secretCipher, plainSecret(world, given))).note.note.length
  }
  for (const [one, other] of [
    [1, 256],
    [257, 512],
    [2_049, 4_096],
    [32_769, 65_536],
  ] as const) {
    t.equal(await lengthOf('x'.repeat(one)), await lengthOf('x'.repeat(other)))
    t.equal(await lengthOf('x'.repeat(one)), await lengthOf('x'.repeat(other), 'p'))
    t.not(await lengthOf('x'.repeat(other)), await lengthOf('x'.repeat(other + 1)))
  }
})

t.test('no label, note, password, link token or id is within a ciphertext', async (t) => {
  const world = makeWorld(t.testdir())
  const plain = plainSecret(world, {
    label: 'LabelLabel',
    note: 'NoteNote',
    password: 'WordWord',
    shared: true,
  })
  const { secret, note } = await stored(world.secretCipher, plain)
  const token = plain.head.linkToken ?? ''
  const hidden = ['LabelLabel', 'NoteNote', 'WordWord', token, Buffer.from(token, 'base64url'), secret.id]
  for (const blob of [secret.head, note.note, note.wrap]) {
    for (const text of hidden) t.notOk(Buffer.from(blob).includes(text))
  }
})

t.test('sharing a draft needs no password and leaves note and lock as they are', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, make, digests } = world
  for (const password of [undefined, 'p']) {
    const draft = await stored(secretCipher, plainSecret(world, password === undefined ? {} : { password }))
    const linkToken = make.linkToken()
    const link = { ...make.link(), lookup: digests.linkLookup(linkToken) }
    const keys = value(secretCipher.rebind(draft.secret, draft.note.wrap, { link, linkToken }))
    const shared: StoredSecret = { ...draft.secret, link, kid: keys.kid, head: keys.head }
    t.strictSame(value(secretCipher.decryptHead(shared)), { label: 'Label', linkToken })
    const note = { note: draft.note.note, wrap: keys.wrap! }
    t.equal(value(await secretCipher.decryptNote(shared, note, password)), 'the note')
    // The draft's own blobs do not fit the shared row, nor the other way round.
    t.equal(failure(secretCipher.decryptHead({ ...shared, head: draft.secret.head })).code, 'data_damaged')
    t.equal(failure(secretCipher.decryptHead({ ...draft.secret, head: keys.head })).code, 'data_damaged')
    t.equal(failure(await secretCipher.decryptNote(shared, draft.note, password)).code, 'data_damaged')
  }
})

t.test('rotating puts head and wrap under the new key; the old one is needed no more', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, ring } = world
  const before = await stored(secretCipher, plainSecret(world, { password: 'p', shared: true }))
  const destroyed = await stored(secretCipher, plainSecret(world, { shared: true }))
  const kid = await rotate(ring)
  const { link } = before.secret
  const { linkToken } = value(secretCipher.decryptHead(before.secret))
  const keys = value(secretCipher.rebind(before.secret, before.note.wrap, { link, linkToken }))
  t.equal(keys.kid, kid)
  const goneKeys = value(
    secretCipher.rebind(destroyed.secret, undefined, {
      link: destroyed.secret.link,
      linkToken: value(secretCipher.decryptHead(destroyed.secret)).linkToken,
    }),
  )
  t.equal(goneKeys.wrap, undefined)
  value(await ring.removeKey(1))
  const after: StoredSecret = { ...before.secret, kid, head: keys.head }
  t.strictSame(value(secretCipher.decryptHead(after)), { label: 'Label', linkToken })
  const note = { note: before.note.note, wrap: keys.wrap! }
  t.equal(value(await secretCipher.decryptNote(after, note, 'p')), 'the note')
  t.same(failure(secretCipher.decryptHead(before.secret)), { code: 'key_unknown', kid: 1 })
  t.equal(value(secretCipher.decryptHead({ ...destroyed.secret, kid, head: goneKeys.head })).label, 'Label')
})

t.test('a key that is not in the ring is key_unknown, whatever is asked', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher } = world
  const kept = await stored(secretCipher, plainSecret(world, { password: 'p' }))
  const secret = { ...kept.secret, kid: 7 }
  const error = { code: 'key_unknown', kid: 7 }
  t.same(failure(secretCipher.decryptHead(secret)), error)
  t.same(failure(await secretCipher.decryptNote(secret, kept.note, 'p')), error)
  t.same(
    failure(secretCipher.rebind(secret, kept.note.wrap, { link: undefined, linkToken: undefined })),
    error,
  )
})

t.test('a secret is encrypted under the key that is active once its password is hashed', async (t) => {
  let goOn = (): void => undefined
  const hash = () => new Promise<Uint8Array>((resolve) => (goOn = () => resolve(Buffer.alloc(32))))
  const world = makeWorld(t.testdir(), { hash })
  const encrypting = world.secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))
  const kid = await rotate(world.ring)
  goOn()
  t.equal(value(await encrypting).kid, kid)
})

t.test('too much hashing is cipher_busy; what needs none goes on', async (t) => {
  const hash = () => new Promise<Uint8Array>(() => undefined)
  const setTimer = () => () => undefined
  const world = makeWorld(t.testdir(), { hash, hashing: { concurrency: 1, maxWaiting: 0, setTimer } })
  const { secretCipher } = world
  const underWay = secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))
  t.ok(underWay)
  const busy = failure(await secretCipher.encryptSecret(plainSecret(world, { password: 'p' })))
  t.same(busy, { code: 'cipher_busy' })
  const kept = await stored(secretCipher, plainSecret(world))
  t.equal(value(await secretCipher.decryptNote(kept.secret, kept.note, undefined)), 'the note')
})

t.test('whoever creates does not keep those out who open, nor the other way round', async (t) => {
  let blocked = false
  const hash = () => (blocked ? new Promise<Uint8Array>(() => undefined) : Promise.resolve(Buffer.alloc(32)))
  const setTimer = () => () => undefined
  const world = makeWorld(t.testdir(), { hash, hashing: { concurrency: 1, maxWaiting: 1, setTimer } })
  const { secretCipher } = world
  const kept = await stored(secretCipher, plainSecret(world, { password: 'p' }))
  blocked = true
  const create = () => secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))
  const open = () => secretCipher.decryptNote(kept.secret, kept.note, 'p')
  const waiting = [create(), create(), open()]
  t.equal(waiting.length, 3, 'one is hashed, one waits to create, one to open')
  t.same(failure(await create()), { code: 'cipher_busy' })
  t.same(failure(await open()), { code: 'cipher_busy' })
  const later = new Promise((resolve) => setImmediate(() => resolve('all of them wait')))
  const first = await Promise.race([...waiting, later])
  t.equal(first, 'all of them wait')
})

t.test('input that contradicts itself is a mistake of the caller', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, make } = world
  const draft = plainSecret(world)
  const shared = plainSecret(world, { shared: true })
  t.throws(() => secretCipher.encryptSecret({ ...draft, password: 'p' }), TypeError)
  t.throws(() => secretCipher.encryptSecret({ ...draft, head: shared.head }), TypeError)
  t.throws(
    () => secretCipher.encryptSecret({ ...shared, head: { label: 'l', linkToken: 'short' } }),
    TypeError,
  )
  const { secret } = await stored(secretCipher, draft)
  t.throws(
    () => secretCipher.rebind(secret, undefined, { link: make.link(), linkToken: undefined }),
    TypeError,
  )
})

t.test('keys and hashes are zero once they were used', async (t) => {
  const made: Buffer[] = []
  const hashes: Uint8Array[] = []
  const random = (count: number): Buffer => {
    const bytes = randomBytes(count)
    if (count === 32) made.push(bytes)
    return bytes
  }
  const hash = async () => {
    hashes.push(Buffer.alloc(32, 7))
    return hashes.at(-1)!
  }
  const world = makeWorld(t.testdir(), { random, hash })
  for (const password of [undefined, 'p']) {
    const kept = await stored(
      world.secretCipher,
      plainSecret(world, password === undefined ? {} : { password }),
    )
    value(await world.secretCipher.decryptNote(kept.secret, kept.note, password))
  }
  t.equal(made.length, 2)
  t.equal(hashes.length, 2)
  for (const bytes of [...made, ...hashes]) t.ok(bytes.every((byte) => byte === 0))
})
