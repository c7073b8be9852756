// Makes the test vectors of docs/encryption.md from that document only. It shares no code with the sources, so that an error in one of
// them shows. "Random" bytes are derived from names, so that every run gives the same file.
//
//   node make-vectors.mjs            writes packages/test-kit/vectors/encryption-v1.json
//   node make-vectors.mjs --print    writes to stdout instead
import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { hashRaw } from '@node-rs/argon2'

/** @param {string} name @param {number} length */
const fixed = (name, length) =>
  createHash('shake256', { outputLength: length }).update(`sotto vectors: ${name}`).digest()
/** @param {Uint8Array} bytes */
const hex = (bytes) => Buffer.from(bytes).toString('hex')
/** @param {number} number */
const uint32 = (number) => Buffer.from([number >>> 24, number >>> 16, number >>> 8, number])
/** @param {Uint8Array} ikm @param {string | Uint8Array} salt @param {string} info @param {number} length */
const hkdf = (ikm, salt, info, length) => Buffer.from(hkdfSync('sha256', ikm, salt, info, length))

const instanceId = fixed('instance id', 16)
/** @type {Record<number, Buffer>} */
const ring = { 1: fixed('key 1', 32), 3: fixed('key 3', 32) }
const activeKid = 3
const accounts = ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b']
const folderId = '019a0000-0000-7000-8000-0000000000f1'
const cheap = { memory_kib: 64, passes: 2, lanes: 1 }
const usual = { memory_kib: 65536, passes: 3, lanes: 1 }

/** @param {number} kid @param {string} info */
const ringDerived = (kid, info) => hkdf(/** @type {Buffer} */ (ring[kid]), instanceId, `sotto/v1/${info}`, 32)

/** Associated data: netstrings. @param {string[]} fields */
const bound = (...fields) => fields.map((field) => `${Buffer.byteLength(field)}:${field},`).join('')

/** @param {{ key: Buffer, nonce: Buffer, aad: string, plaintext: Buffer, version?: number }} parts */
function seal({ key, nonce, aad, plaintext, version = 1 }) {
  const gcm = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  gcm.setAAD(Buffer.from(aad))
  const body = Buffer.concat([gcm.update(plaintext), gcm.final()])
  return Buffer.concat([Buffer.from([version]), nonce, body, gcm.getAuthTag()])
}

/** @param {number} length @param {number} least */
function bucket(length, least) {
  let size = least
  while (size < length) size *= 2
  return size
}

/** @param {Buffer} text @param {number} least */
const padBytes = (text, least) =>
  Buffer.concat([uint32(text.length), text, Buffer.alloc(bucket(text.length, least) - text.length)])
/** @param {string} text @param {number} least */
const pad = (text, least) => padBytes(Buffer.from(text, 'utf8'), least)

// --- short texts

/** @param {{ column: string, account: string, row: string, kid: number, text: string, plaintext?: Buffer }} place */
function shortText({ column, account, row, kid, text, plaintext = pad(text, 64) }) {
  const nonce = fixed(`nonce of ${column} ${row} ${kid} ${text}`, 12)
  const aad = bound('sotto/v1', column, account, row, String(kid))
  const key = ringDerived(kid, `${column}/${account}`)
  const ciphertext = seal({ key, nonce, aad, plaintext })
  return {
    ...{ column, account_id: account, row_id: row, kid, text, key: hex(key), nonce: hex(nonce) },
    ...{ associated_data: aad, plaintext: hex(plaintext), ciphertext: hex(ciphertext) },
  }
}

// --- texts that a token seals

/** @param {{ account: string, text: string }} sealed */
function sealedText({ account, text }) {
  const token = fixed(`token that seals ${text}`, 32).toString('base64url')
  const nonce = fixed(`nonce of what a token seals ${text}`, 12)
  const aad = bound('sotto/v1', 'token-seal', account)
  const key = hkdf(Buffer.from(token, 'ascii'), instanceId, 'sotto/v1/token-seal', 32)
  const sealed = seal({ key, nonce, aad, plaintext: pad(text, 64) })
  return {
    ...{ account_id: account, token, text, key: hex(key), nonce: hex(nonce) },
    ...{ associated_data: aad, sealed: hex(sealed) },
  }
}

// --- link tokens

/** T = m ‖ r, and its lookup. @param {Buffer} random @param {number} atMicros */
function linkToken(random, atMicros) {
  const second = Number(BigInt(atMicros) / 1_000_000n)
  const mask = createHash('sha256')
    .update('sotto/v1/link-time')
    .update(instanceId)
    .update(random)
    .digest()
    .subarray(0, 4)
  const masked = uint32(second).map((byte, at) => byte ^ (mask[at] ?? 0))
  const token = Buffer.concat([masked, random])
  const digest = createHash('sha256').update('sotto/v1/lookup').update(token).digest()
  return { second, mask, token, lookup: Buffer.concat([uint32(second), digest.subarray(0, 28)]) }
}

// --- secrets

/** @typedef {{ token: Buffer, lookup: Buffer, createdAt: number, expiresAt: number }} Link */
/**
 * @typedef {object} Given
 * @property {string} name
 * @property {string} id
 * @property {string} account
 * @property {number} kid
 * @property {number} createdAt
 * @property {number} [openLimit]
 * @property {Link | undefined} link
 * @property {string} label
 * @property {string} note
 * @property {string} [password]
 * @property {{ memory_kib: number, passes: number, lanes: number }} [argon2]
 * @property {Partial<{ head: Buffer, note: Buffer, inner: (innerBlob: Buffer) => Buffer, content: (content: Buffer) => Buffer, algorithm: number, noteDigest: Buffer, wrapVersion: number }>} [odd]
 */

/** @param {Given} given */
async function secret(given) {
  const { name, id, account, kid, link, odd = {} } = given
  const hasPassword = given.password !== undefined
  const wrapFields = [
    ...[id, account, String(kid)],
    ...(link === undefined ? ['', ''] : [hex(link.lookup), String(link.expiresAt)]),
    ...[given.openLimit === undefined ? '' : String(given.openLimit), hasPassword ? '1' : '0'],
  ]
  const headAad = bound(
    ...['sotto/v1', 'secret.head', ...wrapFields, folderId, String(given.createdAt)],
    link === undefined ? '' : String(link.createdAt),
  )
  const wrapAad = bound('sotto/v1', 'secret.wrap', ...wrapFields)
  const noteAad = bound('sotto/v1', 'secret.note', id, account)
  const noteKey = fixed(`note key of ${name}`, 32)
  const nonces = {
    head: fixed(`head nonce of ${name}`, 12),
    wrap: fixed(`wrap nonce of ${name}`, 12),
    note: fixed(`note nonce of ${name}`, 12),
  }
  const notePlaintext = odd.note ?? pad(given.note, 256)
  const note = seal({ key: noteKey, nonce: nonces.note, aad: noteAad, plaintext: notePlaintext })
  const locked = hasPassword ? await lock(given, noteKey, note) : undefined
  const content = (odd.content ?? ((content) => content))(locked?.content ?? noteKey)
  const headPlaintext =
    odd.head ??
    Buffer.concat([Buffer.from([link ? 1 : 0]), link ? link.token : Buffer.alloc(32), pad(given.label, 64)])
  const head = seal({
    ...{ key: ringDerived(kid, `secret.head/${account}`), nonce: nonces.head },
    ...{ aad: headAad, plaintext: headPlaintext },
  })
  const wrap = seal({
    ...{ key: ringDerived(kid, `secret.wrap/${account}`), nonce: nonces.wrap },
    ...{ aad: wrapAad, plaintext: content, version: odd.wrapVersion ?? 1 },
  })
  return {
    name,
    row: {
      ...{ id, account_id: account, folder_id: folderId, created_at_micros: given.createdAt },
      ...{ open_limit: given.openLimit ?? null, has_password: hasPassword, kid },
      link:
        link === undefined
          ? null
          : {
              ...{ lookup: hex(link.lookup), created_at_micros: link.createdAt },
              expires_at_micros: link.expiresAt,
            },
    },
    label: given.label,
    link_token: link === undefined ? null : link.token.toString('base64url'),
    note: given.note,
    password: given.password ?? null,
    argon2: hasPassword ? given.argon2 : null,
    random: {
      ...{ note_key: hex(noteKey), note_nonce: hex(nonces.note), wrap_nonce: hex(nonces.wrap) },
      head_nonce: hex(nonces.head),
      ...(locked && { salt: hex(locked.salt), inner_nonce: hex(locked.nonce) }),
    },
    intermediate: {
      ...{ head_associated_data: headAad, wrap_associated_data: wrapAad, note_associated_data: noteAad },
      ...{ head_plaintext: hex(headPlaintext), wrap_plaintext: hex(content) },
      ...(locked && {
        ...{ password_hash: hex(locked.hash), inner_key: hex(locked.innerKey) },
        ...{
          commitment: hex(locked.commitment),
          inner_associated_data: locked.aad,
          inner: hex(locked.inner),
          note_digest: hex(locked.noteDigest),
        },
      }),
    },
    stored: { head: hex(head), wrap: hex(wrap), note: hex(note) },
  }
}

/** @param {Given} given @param {Buffer} noteKey @param {Buffer} note */
async function lock({ name, id, account, password = '', argon2 = cheap, odd = {} }, noteKey, note) {
  const salt = fixed(`salt of ${name}`, 16)
  const nonce = fixed(`inner nonce of ${name}`, 12)
  // By default this is Argon2id of version 0x13.
  const hash = await hashRaw(Buffer.from(password.normalize('NFC'), 'utf8'), {
    ...{ salt, outputLen: 32 },
    ...{ memoryCost: argon2.memory_kib, timeCost: argon2.passes, parallelism: argon2.lanes },
  })
  const both = hkdf(hash, id, 'sotto/v1/password', 64)
  const innerKey = both.subarray(0, 32)
  const commitment = both.subarray(32)
  const aad = bound('sotto/v1', 'secret.wrap.password', id, account)
  const sealed = seal({ key: innerKey, nonce, aad, plaintext: noteKey })
  const inner = odd.inner ? odd.inner(sealed) : sealed
  const params = [argon2.memory_kib, argon2.passes, argon2.lanes].map(uint32)
  const noteDigest = odd.noteDigest ?? createHash('sha256').update(note).digest()
  const parts = [salt, Buffer.from([odd.algorithm ?? 1]), ...params, commitment, inner, noteDigest]
  return { salt, nonce, hash, innerKey, commitment, aad, inner, noteDigest, content: Buffer.concat(parts) }
}

// --- contents of files

/** Padmé, as its authors' pseudocode has it: all but the first bits of a length become zeros. @param {number} size */
function padme(size) {
  if (size <= 4096) return 4096
  const length = BigInt(size)
  const exponent = length.toString(2).length - 1
  const zeros = BigInt(exponent - exponent.toString(2).length)
  const mask = (1n << zeros) - 1n
  return Number((length + mask) & ~mask)
}

/** Byte number i is i modulo 251. @param {number} size */
const counted = (size) => Buffer.from(Array.from({ length: size }, (_, at) => at % 251))

/** STREAM: chunks of 64 KiB, and a nonce that counts them and marks the last one. @param {number} size */
function fileContent(size) {
  const [accountId, secretId] = [account, secretNumber(40)]
  const fileId = `019a0000-0000-7000-8000-0000000002${String(contentSizes.indexOf(size)).padStart(2, '0')}`
  const key = fixed(`key of the content of ${size} bytes`, 32)
  const aad = bound('sotto/v1', 'file.content', fileId, secretId, accountId)
  const plaintext = Buffer.concat([counted(size), Buffer.alloc(padme(size) - size)])
  const chunks = []
  for (let at = 0; at < plaintext.length; at += 65536) {
    const isLast = plaintext.length - at <= 65536
    const nonce = Buffer.concat([Buffer.alloc(7), uint32(at / 65536), Buffer.from([isLast ? 1 : 0])])
    const chunk = seal({ key, nonce, aad, plaintext: plaintext.subarray(at, at + 65536) }).subarray(13)
    chunks.push({ nonce, chunk })
  }
  const stored = Buffer.concat(chunks.map(({ chunk }) => chunk))
  return {
    ...{ account_id: accountId, secret_id: secretId, file_id: fileId, size, key: hex(key) },
    ...{ associated_data: aad, padded_size: plaintext.length, stored_size: stored.length },
    chunks: chunks.map(({ nonce, chunk }) => ({ nonce: hex(nonce), tag: hex(chunk.subarray(-16)) })),
    stored_sha256: hex(createHash('sha256').update(stored).digest()),
    ...(stored.length < 5000 && { stored: hex(stored) }),
  }
}

/**
 * What is encrypted of a note with files.
 * @param {string} text
 * @param {{ id: string, key: string, name: string, size: number, type: string }[]} files
 */
const noteWithFiles = (text, files) =>
  `${text}\0${JSON.stringify(files.map(({ id, key, name, size, type }) => [id, key, name, size, type]))}`

// --- the content of the file

const createdAt = 1_760_000_000_123_457
const day = 86_400_000_000
/** @param {string} name @param {number} [at] @returns {Link} */
function link(name, at = createdAt) {
  const { token, lookup } = linkToken(fixed(`link random of ${name}`, 28), at)
  return { token, lookup, createdAt: at, expiresAt: at + 30 * day }
}
/** @param {number} number */
const secretNumber = (number) => `019a0000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`
const account = /** @type {string} */ (accounts[0])
const other = /** @type {string} */ (accounts[1])
const base = { account, kid: activeKid, createdAt, link: undefined }

const texts = [
  { column: 'account.name', account, row: account, kid: 3, text: 'email:owner@localhost' },
  { column: 'account.name', account: other, row: other, kid: 3, text: 'external:user 4711 / 🗝' },
  { column: 'folder.label', account, row: folderId, kid: 3, text: 'Fächer für Söhne 🗝' },
  { column: 'folder.label', account, row: folderId, kid: 1, text: 'x'.repeat(64) },
  { column: 'folder.label', account: other, row: folderId, kid: 3, text: '🗝'.repeat(255) },
  { column: 'access_token.name', account, row: secretNumber(99), kid: 3, text: 'a' },
  {
    ...{ column: 'file.about', account, row: '019a0000-0000-7000-8000-000000000201', kid: 3 },
    text: '["Vertrag \\"ü\\".pdf",200000,"application/pdf"]',
  },
  { column: 'access_token.name', account, row: secretNumber(99), kid: 3, text: 'x'.repeat(65) },
  {
    ...{ column: 'account.password', account, row: secretNumber(98), kid: 3 },
    text: '$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$jVnNdhxkkxOFfSQDYYXnH7wPhtKMdjmTgWlkZdEcSp8',
  },
].map(shortText)

const contentSizes = [0, 1, 4096, 65536, 65537, 200000]
/** Around each power of two, up to the longest content. */
const paddedSizes = [0, 1, 4095, 4096, 4097, 65537, 200000, 1_000_000, 26_214_400, 26_214_401].concat(
  [13, 16, 20, 31, 32, 33, 40, 47].flatMap((bits) => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]),
  [2 ** 48 - 1, 2 ** 48],
)
const listed = [
  {
    ...{
      id: '019a0000-0000-7000-8000-000000000201',
      key: fixed('key of a listed file', 32).toString('base64url'),
    },
    ...{ name: 'Vertrag "ü".pdf', size: 200_000, type: 'application/pdf' },
  },
  {
    ...{
      id: '019a0000-0000-7000-8000-000000000202',
      key: fixed('key of another listed file', 32).toString('base64url'),
    },
    ...{ name: '契約 🗝.txt', size: 0, type: 'text/plain' },
  },
]

/** @type {Given[]} */
const goodSecrets = [
  { ...base, name: 'draft', id: secretNumber(1), label: 'Draft', note: 'n' },
  {
    ...base,
    name: 'shared',
    id: secretNumber(2),
    openLimit: 3,
    link: link('shared'),
    label: 'Café 🗝',
    note: 'one\ntwo\r\n',
  },
  {
    ...base,
    name: 'full bucket',
    id: secretNumber(3),
    link: link('full bucket'),
    label: 'L'.repeat(64),
    note: 'x'.repeat(256),
  },
  {
    ...base,
    name: 'next bucket',
    id: secretNumber(4),
    link: link('next bucket'),
    label: 'L'.repeat(65),
    note: 'x'.repeat(257),
  },
  {
    ...base,
    name: 'older key, shared later',
    id: secretNumber(5),
    kid: 1,
    account: other,
    link: link('later', createdAt + day),
    label: 'B',
    note: 'ü'.repeat(600),
  },
  {
    ...base,
    name: 'draft with password',
    id: secretNumber(6),
    openLimit: 1,
    label: 'P',
    note: 'locked',
    password: 'correct horse',
    argon2: cheap,
  },
  // Given decomposed, hashed composed.
  {
    ...base,
    name: 'password to normalise',
    id: secretNumber(7),
    link: link('normalise'),
    label: 'P',
    note: 'locked',
    password: 'Cafe\u0301 🗝',
    argon2: { memory_kib: 128, passes: 1, lanes: 2 },
  },
  {
    ...base,
    name: 'password with the default parameters',
    id: secretNumber(8),
    openLimit: 1_000_000,
    link: link('usual'),
    label: 'P',
    note: 'locked',
    password: 'correct horse',
    argon2: usual,
  },
  {
    ...base,
    name: 'with two files',
    id: secretNumber(9),
    link: link('with two files'),
    label: 'F',
    note: noteWithFiles('two\nfiles', listed),
  },
]

/** Authentic as ciphertexts, wrong inside. @type {(Given & { fails: [code: string, what: string] })[]} */
const badSecrets = [
  {
    ...base,
    name: 'padding of the note is not zero',
    id: secretNumber(20),
    label: 'B',
    note: '',
    odd: { note: Buffer.concat([pad('x', 256).subarray(0, -1), Buffer.from([1])]) },
    fails: ['data_damaged', 'secret.note'],
  },
  {
    ...base,
    name: 'note is padded to the size above its own',
    id: secretNumber(21),
    label: 'B',
    note: '',
    odd: { note: Buffer.concat([pad('x', 256), Buffer.alloc(256)]) },
    fails: ['data_damaged', 'secret.note'],
  },
  {
    ...base,
    name: 'note is longer than its plaintext',
    id: secretNumber(22),
    label: 'B',
    note: '',
    odd: { note: Buffer.concat([uint32(257), Buffer.alloc(256)]) },
    fails: ['data_damaged', 'secret.note'],
  },
  {
    ...base,
    name: 'note is not padded',
    id: secretNumber(23),
    label: 'B',
    note: '',
    odd: { note: Buffer.concat([uint32(1), Buffer.from('x')]) },
    fails: ['data_damaged', 'secret.note'],
  },
  {
    ...base,
    name: 'note is not UTF-8',
    id: secretNumber(24),
    label: 'B',
    note: '',
    odd: { note: padBytes(Buffer.from([0xc3, 0x28]), 256) },
    fails: ['data_damaged', 'secret.note'],
  },
  {
    ...base,
    name: 'head of a draft in a shared row',
    id: secretNumber(25),
    link: link('bad head'),
    label: 'B',
    note: 'n',
    odd: { head: Buffer.concat([Buffer.alloc(33), pad('B', 64)]) },
    fails: ['data_damaged', 'secret.head'],
  },
  {
    ...base,
    name: 'head without a label',
    id: secretNumber(26),
    label: 'B',
    note: 'n',
    odd: { head: Buffer.alloc(33) },
    fails: ['data_damaged', 'secret.head'],
  },
  {
    ...base,
    name: 'wrap of an unknown version',
    id: secretNumber(27),
    label: 'B',
    note: 'n',
    odd: { wrapVersion: 2 },
    fails: ['data_damaged', 'secret.wrap'],
  },
  {
    ...base,
    name: 'password is right, the note key within is damaged',
    id: secretNumber(28),
    label: 'B',
    note: 'n',
    password: 'p',
    argon2: cheap,
    odd: { inner: (blob) => Buffer.concat([blob.subarray(0, -1), Buffer.from([(blob.at(-1) ?? 0) ^ 1])]) },
    fails: ['data_damaged', 'secret.wrap'],
  },
  {
    ...base,
    name: 'unknown password algorithm',
    id: secretNumber(29),
    label: 'B',
    note: 'n',
    password: 'p',
    argon2: cheap,
    odd: { algorithm: 2 },
    fails: ['data_damaged', 'secret.wrap'],
  },
  {
    ...base,
    name: 'parameters above the maximum',
    id: secretNumber(30),
    label: 'B',
    note: 'n',
    password: 'p',
    argon2: { memory_kib: 64, passes: 17, lanes: 1 },
    fails: ['data_damaged', 'secret.wrap'],
  },
  {
    ...base,
    name: 'wrap holds too short a key',
    id: secretNumber(31),
    label: 'B',
    note: 'n',
    odd: { content: (content) => content.subarray(1) },
    fails: ['data_damaged', 'secret.wrap'],
  },
  {
    ...base,
    name: 'wrap holds more than a password needs',
    id: secretNumber(32),
    label: 'B',
    note: 'n',
    password: 'p',
    argon2: cheap,
    odd: { content: (content) => Buffer.concat([content, Buffer.alloc(1)]) },
    fails: ['data_damaged', 'secret.wrap'],
  },
  {
    ...base,
    name: 'digest is that of another note',
    id: secretNumber(33),
    label: 'B',
    note: 'n',
    password: 'p',
    argon2: cheap,
    odd: { noteDigest: fixed('digest of another note', 32) },
    fails: ['data_damaged', 'secret.note'],
  },
]

const accessToken = 'sotto_000000000000000000000000000000000000000030ANvX'
const accountName = 'email:jürgen@example.org'
const attemptText = 'jürgen@example.org 2001:db8:1:2::/64'
const repeated = ['019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071', '8e03978e-40d5-43e8-bc93-6894a57f9324']
const asked = ['019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6072', 'Jürgen’s key', '4711#\n', 3, false, null, 3_600]
/** A text for each purpose of a keyed digest. @type {[purpose: string, text: string][]} */
const keyedTexts = [
  ['sign-in-attempts', attemptText],
  ['known-address', attemptText],
  ['idempotency-key', repeated.join('/')],
  ['idempotent-request', JSON.stringify([...repeated, ...asked])],
  ['passkey-challenge', 'sign-in/00t3uwojABCDEFGHIJKLMNOPQRSTUVWX'],
]
const vectors = {
  about:
    'Test vectors of docs/encryption.md, made by packages/adapter-node-crypto/vectors/make-vectors.mjs. Bytes are in hexadecimal.',
  format: 'sotto/v1',
  instance_id: hex(instanceId),
  key_file: {
    ...{ version: 1, active_kid: activeKid, next_kid: 5 },
    keys: Object.entries(ring).map(([kid, key]) => ({
      ...{ kid: Number(kid), key: key.toString('base64'), created_at: '2025-10-09T08:53:20.123Z' },
    })),
  },
  check_values: [1, 3].map((kid) => ({ kid, check_value: hex(ringDerived(kid, 'check-value')) })),
  digests: {
    access_token_digest: {
      token: accessToken,
      digest: hex(createHash('sha256').update(accessToken, 'ascii').digest()),
    },
    // The start, a moment just before the next second, and the last second of 32 bits.
    link_tokens: [0, createdAt, 1_760_000_000_999_999, 4_294_967_295_000_000].map((atMicros) => {
      const random = fixed(`link random at ${atMicros}`, 28)
      const { second, mask, token, lookup } = linkToken(random, atMicros)
      return {
        ...{ random: hex(random), at_micros: atMicros, second, mask: hex(mask) },
        ...{ token_bytes: hex(token), token: token.toString('base64url'), lookup: hex(lookup) },
      }
    }),
    account_indexes: {
      name: accountName,
      indexes: [3, 1].map((kid) => ({
        ...{
          kid,
          index: hex(
            createHmac('sha256', ringDerived(kid, 'account-index')).update(accountName, 'utf8').digest(),
          ),
        },
      })),
    },
    opaque_tokens: ['session', 'welcome', 'email-change', 'file-ticket'].map((purpose) => {
      const token = fixed('opaque token', 32).toString('base64url')
      const digest = createHash('sha256').update(`sotto/v1/${purpose}`).update(token, 'ascii').digest()
      return { purpose, token, digest: hex(digest) }
    }),
    keyed_digests: keyedTexts.map(([purpose, text]) => {
      const under = (/** @type {number} */ kid) =>
        createHmac('sha256', ringDerived(kid, purpose)).update(text, 'utf8').digest()
      return { purpose, text, digests: [3, 1].map((kid) => ({ kid, digest: hex(under(kid)) })) }
    }),
    address_bucket: {
      address: '2001:db8:1:2::/64',
      bucket: createHmac('sha256', ringDerived(activeKid, 'address-bucket'))
        .update('2001:db8:1:2::/64', 'utf8')
        .digest()
        .subarray(0, 16)
        .toString('base64url'),
    },
  },
  texts,
  sealed_texts: [
    { account, text: 'ada@example.org' },
    { account: other, text: `${'jürgen'.repeat(12)}@example.org` },
    { account, text: noteWithFiles('', listed) },
  ].map(sealedText),
  padded_sizes: paddedSizes.map((size) => ({ size, padded_size: padme(size) })),
  // Byte number i of each content is i modulo 251. `stored` is left out where it is long.
  contents: contentSizes.map(fileContent),
  notes_with_files: [{ text: 'two\nfiles', files: listed, note: noteWithFiles('two\nfiles', listed) }],
  secrets: await Promise.all(goodSecrets.map(secret)),
  rejected: await Promise.all(
    badSecrets.map(async ({ fails: [code, what], ...given }) => ({
      ...(await secret(given)),
      fails: { code, what },
    })),
  ),
}

const text = `${JSON.stringify(vectors, undefined, 2)}\n`
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(new URL('../../test-kit/vectors/encryption-v1.json', import.meta.url), text)
