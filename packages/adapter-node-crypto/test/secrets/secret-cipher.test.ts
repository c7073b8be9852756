import crypto, { randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import t from 'tap'
import { normalizePassword, type Ciphertext, type PasswordHashJob, type StoredSecret } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { makeLinkToken, makeWorld, plainSecret, rotate, stored } from '../support.ts'

t.test('head and note come back exactly', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher } = world
  const text = fc.string({ unit: 'grapheme', maxLength: 400 })
  const password = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(text, text, password, fc.boolean(), async (label, note, password, shared) => {
      const plain = plainSecret(world, { label, note, shared, password })
      const saved = await stored(secretCipher, plain)
      t.strictSame(expectOk(secretCipher.decryptHead(saved.secret)), plain.head)
      t.equal(expectOk(await secretCipher.decryptNote(saved.secret, saved.note, password)), note)
    }),
    { numRuns: 60 },
  )
})

t.test('so do large notes, and those with a byte order mark, line ends and control characters', async (t) => {
  const world = makeWorld(t.testdir())
  for (const note of ['\ufeffa\r\nb\n', '\u0001\u007f', 'ü'.repeat(32_768), 'x'.repeat(1_048_576)]) {
    const saved = await stored(world.secretCipher, plainSecret(world, { note }))
    t.ok(expectOk(await world.secretCipher.decryptNote(saved.secret, saved.note, undefined)) === note)
  }
})

t.test('two encryptions of the same secret have nothing in common', async (t) => {
  const world = makeWorld(t.testdir())
  const plain = plainSecret(world, { password: 'p' })
  const [one, other] = [await stored(world.secretCipher, plain), await stored(world.secretCipher, plain)]
  t.notSame(one.secret.headCiphertext, other.secret.headCiphertext)
  t.notSame(one.note.wrappedKey, other.note.wrappedKey)
  t.notSame(one.note.note, other.note.note)
  t.equal(
    expectErr(await world.secretCipher.decryptNote(one.secret, { ...one.note, note: other.note.note }, 'p'))
      .code,
    'data_damaged',
    'each note has its own key',
  )
})

t.test('passwords are hashed as jobs of the account that has the secret', async (t) => {
  const jobs: PasswordHashJob[] = []
  const hash = (job: PasswordHashJob) => {
    jobs.push(job)
    return Promise.resolve(new Uint8Array(32))
  }
  const world = makeWorld(t.testdir(), { hash })
  const plain = plainSecret(world, { password: 'p' })
  const saved = await stored(world.secretCipher, plain)
  expectOk(await world.secretCipher.decryptNote(saved.secret, saved.note, 'p'))
  const owner = plain.row.accountId
  t.match(jobs, [
    { queue: 'create', owner },
    { queue: 'open', owner },
  ])
})

t.test('a password is required, checked, and ignored for a secret that has none', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher } = world
  const locked = await stored(secretCipher, plainSecret(world, { password: 'right' }))
  const open = (password: string | undefined) =>
    secretCipher.decryptNote(locked.secret, locked.note, password)
  t.equal(expectOk(await open('right')), 'the note')
  t.same(expectErr(await open(undefined)), { code: 'password_required' })
  for (const wrong of ['', 'Right', 'right ', 'right\0', 'wrong', '\ud800']) {
    t.same(expectErr(await open(wrong)), { code: 'password_wrong' }, JSON.stringify(wrong))
  }
  const plain = await stored(secretCipher, plainSecret(world))
  t.equal(expectOk(await secretCipher.decryptNote(plain.secret, plain.note, 'any')), 'the note')
})

t.test(
  'a password is the same however its accents are composed, once the caller has normalised it',
  async (t) => {
    const world = makeWorld(t.testdir())
    for (const [set, typed] of [
      ['Caf\u00e9', 'Cafe\u0301'],
      ['Cafe\u0301', 'Caf\u00e9'],
    ] as const) {
      const plain = plainSecret(world, { password: normalizePassword(set) })
      const { secret, note } = await stored(world.secretCipher, plain)
      const open = (password: string) => world.secretCipher.decryptNote(secret, note, password)
      t.equal(expectOk(await open(normalizePassword(typed))), 'the note')
      t.same(expectErr(await open('Cafe\u0301')), { code: 'password_wrong' }, 'the cipher takes it as it is')
    }
  },
)

t.test('a head is as long without a link token as with one', async (t) => {
  const world = makeWorld(t.testdir())
  const lengths = new Set<number>()
  for (const shared of [true, false]) {
    for (const label of ['a', 'x'.repeat(64)]) {
      const { secret } = await stored(world.secretCipher, plainSecret(world, { label, shared }))
      lengths.add(secret.headCiphertext.length)
    }
  }
  t.equal(lengths.size, 1)
})

t.test('encrypted notes of one size have the same length, with a password or without', async (t) => {
  const world = makeWorld(t.testdir())
  const lengthOf = async (note: string, password?: string) =>
    (await stored(world.secretCipher, plainSecret(world, { note, password }))).note.note.length
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

t.test('a ciphertext contains neither label, note, password, link token nor id', async (t) => {
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
  for (const blob of [secret.headCiphertext, note.note, note.wrappedKey]) {
    for (const text of hidden) t.notOk(Buffer.from(blob).includes(text))
  }
})

t.test('sharing a draft needs no password and does not change the note', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, make, digests } = world
  for (const password of [undefined, 'p']) {
    const draft = await stored(secretCipher, plainSecret(world, { password }))
    const linkToken = makeLinkToken(world)
    const head = { label: 'Label', linkToken }
    const link = { ...make.link(), lookup: digests.linkLookup(linkToken) }
    const rebound = expectOk(
      secretCipher.rebind({ from: draft.secret, wrappedKey: draft.note.wrappedKey, link, head }),
    )
    const shared: StoredSecret = {
      ...draft.secret,
      link,
      kid: rebound.kid,
      headCiphertext: rebound.headCiphertext,
    }
    t.strictSame(expectOk(secretCipher.decryptHead(shared)), head)
    const note = { note: draft.note.note, wrappedKey: rebound.wrappedKey! }
    t.equal(expectOk(await secretCipher.decryptNote(shared, note, password)), 'the note')
    // The blobs of the draft do not fit the shared row, nor the other way round.
    t.equal(
      expectErr(secretCipher.decryptHead({ ...shared, headCiphertext: draft.secret.headCiphertext })).code,
      'data_damaged',
    )
    t.equal(
      expectErr(secretCipher.decryptHead({ ...draft.secret, headCiphertext: rebound.headCiphertext })).code,
      'data_damaged',
    )
    t.equal(expectErr(await secretCipher.decryptNote(shared, draft.note, password)).code, 'data_damaged')
  }
})

t.test('rotating puts head and wrapped key under the new key; the old one is no longer needed', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, ring } = world
  const before = await stored(secretCipher, plainSecret(world, { password: 'p', shared: true }))
  const destroyed = await stored(secretCipher, plainSecret(world, { shared: true }))
  const kid = await rotate(ring)
  const rotated = (secret: StoredSecret, wrappedKey: Ciphertext | undefined) => {
    const head = expectOk(secretCipher.decryptHead(secret))
    return expectOk(secretCipher.rebind({ from: secret, wrappedKey, link: secret.link, head }))
  }
  const head = expectOk(secretCipher.decryptHead(before.secret))
  const rebound = rotated(before.secret, before.note.wrappedKey)
  t.equal(rebound.kid, kid)
  const headOnly = rotated(destroyed.secret, undefined)
  t.equal(headOnly.wrappedKey, undefined)
  expectOk(await ring.removeKey(1))
  const after: StoredSecret = { ...before.secret, kid, headCiphertext: rebound.headCiphertext }
  t.strictSame(expectOk(secretCipher.decryptHead(after)), head)
  const note = { note: before.note.note, wrappedKey: rebound.wrappedKey! }
  t.equal(expectOk(await secretCipher.decryptNote(after, note, 'p')), 'the note')
  t.same(expectErr(secretCipher.decryptHead(before.secret)), { code: 'key_unknown', kid: 1 })
  t.equal(
    expectOk(secretCipher.decryptHead({ ...destroyed.secret, kid, headCiphertext: headOnly.headCiphertext }))
      .label,
    'Label',
  )
})

t.test('a draft moves to another folder and gets another limit and label without its password', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher, make } = world
  for (const openLimit of [undefined, 5]) {
    const { secret, note } = await stored(
      secretCipher,
      plainSecret(world, { password: 'p', openLimit: openLimit === undefined ? 3 : undefined }),
    )
    const columns = { folderId: make.uuid(), openLimit }
    const head = { label: 'L'.repeat(200), linkToken: undefined }
    const rebound = expectOk(
      secretCipher.rebind({ from: secret, wrappedKey: note.wrappedKey, link: undefined, columns, head }),
    )
    const edited: StoredSecret = {
      ...secret,
      ...columns,
      kid: rebound.kid,
      headCiphertext: rebound.headCiphertext,
    }
    const editedNote = { note: note.note, wrappedKey: rebound.wrappedKey! }
    t.equal(editedNote.wrappedKey.length, note.wrappedKey.length)
    t.strictSame(expectOk(secretCipher.decryptHead(edited)), head)
    t.equal(expectOk(await secretCipher.decryptNote(edited, editedNote, 'p')), 'the note')
    for (const mixed of [
      { ...edited, folderId: secret.folderId },
      { ...edited, openLimit: secret.openLimit },
    ])
      t.equal(expectErr(secretCipher.decryptHead(mixed)).code, 'data_damaged')
    const withOldLimit = { ...edited, openLimit: secret.openLimit }
    t.equal(expectErr(await secretCipher.decryptNote(withOldLimit, editedNote, 'p')).code, 'data_damaged')
  }
})

t.test('rebinding takes the head from the caller and does not read the stored one', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher } = world
  const { secret, note } = await stored(secretCipher, plainSecret(world))
  const from = { ...secret, headCiphertext: note.wrappedKey }
  const head = { label: 'Other', linkToken: undefined }
  const rebound = expectOk(secretCipher.rebind({ from, wrappedKey: note.wrappedKey, link: undefined, head }))
  t.strictSame(
    expectOk(secretCipher.decryptHead({ ...secret, headCiphertext: rebound.headCiphertext })),
    head,
  )
})

t.test('every method answers key_unknown for a key that is not in the ring', async (t) => {
  const world = makeWorld(t.testdir())
  const { secretCipher } = world
  const saved = await stored(secretCipher, plainSecret(world, { password: 'p' }))
  const secret = { ...saved.secret, kid: 7 }
  const error = { code: 'key_unknown', kid: 7 }
  t.same(expectErr(secretCipher.decryptHead(secret)), error)
  t.same(expectErr(await secretCipher.decryptNote(secret, saved.note, 'p')), error)
  const head = { label: 'Label', linkToken: undefined }
  for (const wrappedKey of [saved.note.wrappedKey, undefined]) {
    t.same(expectErr(secretCipher.rebind({ from: secret, wrappedKey, link: undefined, head })), error)
  }
})

t.test('a secret is encrypted under the key that is active once its password is hashed', async (t) => {
  let finish = (): void => undefined
  const hash = () => new Promise<Uint8Array>((resolve) => (finish = () => resolve(Buffer.alloc(32))))
  const world = makeWorld(t.testdir(), { hash })
  const encrypting = world.secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))
  const kid = await rotate(world.ring)
  finish()
  t.equal(expectOk(await encrypting).kid, kid)
})

t.test('too much hashing is hasher_busy; secrets without a password are not affected', async (t) => {
  const hash = () => new Promise<Uint8Array>(() => undefined)
  const setTimer = () => () => undefined
  const world = makeWorld(t.testdir(), { hash, hashing: { concurrency: 1, maxWaiting: 0, setTimer } })
  const { secretCipher } = world
  const underWay = secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))
  t.ok(underWay)
  const busy = expectErr(await secretCipher.encryptSecret(plainSecret(world, { password: 'p' })))
  t.same(busy, { code: 'hasher_busy' })
  const saved = await stored(secretCipher, plainSecret(world))
  t.equal(expectOk(await secretCipher.decryptNote(saved.secret, saved.note, undefined)), 'the note')
})

t.test('creating does not delay opening, nor the other way round', async (t) => {
  let blocked = false
  const hash = () => (blocked ? new Promise<Uint8Array>(() => undefined) : Promise.resolve(Buffer.alloc(32)))
  const setTimer = () => () => undefined
  const world = makeWorld(t.testdir(), { hash, hashing: { concurrency: 1, maxWaiting: 1, setTimer } })
  const { secretCipher } = world
  const saved = await stored(secretCipher, plainSecret(world, { password: 'p' }))
  blocked = true
  const create = () => secretCipher.encryptSecret(plainSecret(world, { password: 'p' }))
  const open = () => secretCipher.decryptNote(saved.secret, saved.note, 'p')
  const waiting = [create(), create(), open()]
  t.equal(waiting.length, 3, 'one is hashed, one waits to be created, one to be opened')
  t.same(expectErr(await create()), { code: 'hasher_busy' })
  t.same(expectErr(await open()), { code: 'hasher_busy' })
  const later = new Promise((resolve) => setImmediate(() => resolve('all wait')))
  const first = await Promise.race([...waiting, later])
  t.equal(first, 'all wait')
})

t.test('contradictory input is a mistake of the caller', async (t) => {
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
  for (const linkToken of ['A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`]) {
    t.throws(
      () => secretCipher.encryptSecret({ ...shared, head: { label: 'l', linkToken } }),
      TypeError,
      linkToken,
    )
  }
  const { secret } = await stored(secretCipher, draft)
  const rebinding = { from: secret, wrappedKey: undefined, link: make.link(), head: draft.head }
  t.throws(() => secretCipher.rebind(rebinding), TypeError)
  t.throws(() => secretCipher.rebind({ ...rebinding, link: undefined, head: shared.head }), TypeError)
})

t.test('keys and hashes are zero after use', async (t) => {
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
    const saved = await stored(world.secretCipher, plainSecret(world, { password }))
    expectOk(await world.secretCipher.decryptNote(saved.secret, saved.note, password))
  }
  t.equal(made.length, 2)
  t.equal(hashes.length, 2)
  for (const bytes of [...made, ...hashes]) t.ok(bytes.every((byte) => byte === 0))
})

t.test('the key of a note is zero once the note is read', async (t) => {
  const world = makeWorld(t.testdir())
  const saved = await Promise.all(
    [undefined, 'p'].map((password) => stored(world.secretCipher, plainSecret(world, { password }))),
  )
  const given: Uint8Array[] = []
  const { createSecretKey } = crypto
  t.teardown(() => syncBuiltinESMExports())
  t.intercept(crypto, 'createSecretKey', {
    value(bytes: Uint8Array) {
      given.push(bytes)
      return createSecretKey(bytes)
    },
  })
  syncBuiltinESMExports()
  for (const { secret, note } of saved) expectOk(await world.secretCipher.decryptNote(secret, note, 'p'))
  t.ok(given.length >= 2, 'the two keys of the notes, and that of the password')
  for (const bytes of given) t.same(bytes, new Uint8Array(bytes.length))
})
