import { execFileSync } from 'node:child_process'
import * as crypto from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import {
  normalizePassword,
  type Ciphertext,
  type KeyedDigestPurpose,
  type OpaqueTokenPurpose,
  type PasswordHashParams,
  type PlainSecret,
  type StoredSecret,
  type TextPlace,
} from '@sotto/core'
import { createManualClock, expectOk } from '@sotto/test-kit'
import { createDigests } from '../src/cipher/digests.ts'
import { createKeyRing } from '../src/keys/key-ring.ts'
import { createPasswordHasher } from '../src/passwords/password-hasher.ts'
import { createSecretCipher } from '../src/secrets/secret-cipher.ts'
import { createTextCipher } from '../src/cipher/text-cipher.ts'
import { cheap } from './support.ts'

const file = new URL('../../test-kit/vectors/encryption-v1.json', import.meta.url)
const text = readFileSync(file, 'utf8')
const vectors = JSON.parse(text) as Vectors

t.test('the vectors are those that the program makes', (t) => {
  const generator = fileURLToPath(new URL('../vectors/make-vectors.mjs', import.meta.url))
  const made = execFileSync(process.execPath, [generator, '--print'], { encoding: 'utf8', maxBuffer: 1e7 })
  t.ok(made === text, 'run make-vectors.mjs and check what changed')
  const source = readFileSync(generator, 'utf8')
  const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  t.strictSame(
    imports,
    ['node:crypto', 'node:fs', '@node-rs/argon2'],
    'which shares no code with the sources',
  )
  t.end()
})

t.test('check values and digests', (t) => {
  const { ring, digests } = makeFrom(t.testdir())
  t.equal(ring.activeKid(), vectors.key_file.active_kid)
  for (const { kid, check_value } of vectors.check_values) t.equal(hex(ring.checkValue(kid)), check_value)
  const { access_token_digest, account_indexes, address_bucket } = vectors.digests
  t.equal(hex(digests.accessTokenDigest(access_token_digest.token)), access_token_digest.digest)
  t.strictSame(
    digests.accountIndexes(account_indexes.name).map(hex),
    account_indexes.indexes.map(({ index }) => index),
  )
  t.equal(digests.addressBucket(address_bucket.address), address_bucket.bucket)
  t.end()
})

t.test('digests of sessions and one-time links, and those with a key for each purpose', (t) => {
  const { digests } = makeFrom(t.testdir())
  const { opaque_tokens, keyed_digests } = vectors.digests
  t.strictSame(
    opaque_tokens.map(({ purpose }) => purpose),
    ['session', 'welcome', 'email-change', 'file-ticket'],
  )
  for (const { purpose, token, digest } of opaque_tokens)
    t.equal(hex(digests.opaqueTokenDigest(purpose, token)), digest, purpose)
  t.strictSame(
    keyed_digests.map(({ purpose }) => purpose),
    ['sign-in-attempts', 'known-address', 'idempotency-key', 'idempotent-request', 'passkey-challenge'],
  )
  for (const { purpose, text, digests: expected } of keyed_digests)
    t.strictSame(
      digests.keyedDigests(purpose, text).map(hex),
      expected.map(({ digest }) => digest),
      purpose,
    )
  t.end()
})

t.test('link tokens and their lookups', (t) => {
  const { digests } = makeFrom(t.testdir())
  t.ok(vectors.digests.link_tokens.length >= 4)
  for (const { random, at_micros, token, lookup } of vectors.digests.link_tokens) {
    t.equal(digests.makeLinkToken(Buffer.from(random, 'hex'), at_micros), token)
    t.equal(hex(digests.linkLookup(token)), lookup)
  }
  for (const { link_token, row } of vectors.secrets) {
    if (link_token !== null) t.equal(hex(digests.linkLookup(link_token)), row.link?.lookup)
  }
  t.end()
})

t.test('short texts, read and written', (t) => {
  for (const { column, account_id: accountId, row_id: rowId, kid, ...given } of vectors.texts) {
    const { textCipher } = makeFrom(t.testdir(), { kid, random: [given.nonce] })
    const place: TextPlace = { column, accountId, rowId }
    const ciphertext = unhex(given.ciphertext)
    t.equal(expectOk(textCipher.decryptText(place, { kid, ciphertext })), given.text)
    t.strictSame(hex(textCipher.encryptText(place, given.text).ciphertext), given.ciphertext)
  }
  t.end()
})

t.test('texts that a token seals, read and written', (t) => {
  t.equal(vectors.sealed_texts.length, 3)
  for (const { account_id: accountId, token, text, nonce, sealed } of vectors.sealed_texts) {
    const { textCipher } = makeFrom(t.testdir(), { random: [nonce] })
    t.equal(textCipher.unsealText({ accountId, token }, unhex(sealed)), text)
    t.equal(hex(textCipher.sealText({ accountId, token }, text)), sealed)
  }
  t.end()
})

t.test('secrets, read', async (t) => {
  const { secretCipher } = makeFrom(t.testdir())
  for (const vector of vectors.secrets) {
    const secret = storedSecret(vector)
    const head = { label: vector.label, linkToken: vector.link_token ?? undefined }
    t.strictSame(expectOk(secretCipher.decryptHead(secret)), head, vector.name)
    const password = passwordOf(vector)
    t.equal(
      expectOk(await secretCipher.decryptNote(secret, storedNote(vector), password)),
      vector.note,
      vector.name,
    )
  }
})

t.test('secrets, written: byte for byte the same from the same random bytes', async (t) => {
  for (const vector of vectors.secrets) {
    const { random, argon2 } = vector
    const order = [
      random.note_key,
      ...(random.salt === undefined ? [] : [random.salt, random.inner_nonce!]),
      ...[random.note_nonce, random.head_nonce, random.wrap_nonce],
    ]
    const params = argon2 && {
      memoryKiB: argon2.memory_kib,
      passes: argon2.passes,
      parallelism: argon2.lanes,
    }
    const { secretCipher } = makeFrom(t.testdir(), { kid: vector.row.kid, random: order, params })
    const { headCiphertext: _head, kid: _kid, ...row } = storedSecret(vector)
    const plain: PlainSecret = {
      row,
      head: { label: vector.label, linkToken: vector.link_token ?? undefined },
      note: vector.note,
      password: passwordOf(vector),
    }
    const { headCiphertext, wrappedKey, note } = expectOk(await secretCipher.encryptSecret(plain))
    t.strictSame(
      { head: hex(headCiphertext), wrap: hex(wrappedKey), note: hex(note) },
      vector.stored,
      vector.name,
    )
  }
})

t.test('authentic blobs that are wrong inside are refused', async (t) => {
  const { secretCipher } = makeFrom(t.testdir())
  t.ok(vectors.rejected.length >= 10)
  for (const vector of vectors.rejected) {
    const secret = storedSecret(vector)
    const note = await secretCipher.decryptNote(secret, storedNote(vector), passwordOf(vector))
    const answers = [secretCipher.decryptHead(secret), note]
    const errors = answers.flatMap((answer) => (answer.isErr() ? [answer.error] : []))
    t.same(errors, [{ ...vector.fails, id: secret.id }], vector.name)
  }
})

// Node has Argon2 since 24.7.
const skip = typeof crypto.argon2Sync === 'function' ? false : 'this Node has no Argon2'
t.test("password hashes agree with Node's own Argon2id", { skip }, (t) => {
  for (const { password, argon2, random, intermediate, name } of vectors.secrets) {
    if (password === null || argon2 === null) continue
    const hash = crypto.argon2Sync('argon2id', {
      ...{ message: password.normalize('NFC'), nonce: Buffer.from(random.salt!, 'hex'), tagLength: 32 },
      ...{ memory: argon2.memory_kib, passes: argon2.passes, parallelism: argon2.lanes },
    })
    t.equal(hex(hash), intermediate.password_hash, name)
  }
  t.end()
})

function makeFrom(
  directory: string,
  { kid, random = [], params }: { kid?: number; random?: string[]; params?: PasswordHashParams | null } = {},
) {
  const path = join(directory, 'keys.json')
  const keyFile = { ...vectors.key_file, active_kid: kid ?? vectors.key_file.active_kid }
  writeFileSync(path, JSON.stringify(keyFile), { mode: 0o600 })
  const clock = createManualClock(0)
  const instanceId = Buffer.from(vectors.instance_id, 'hex')
  const ring = expectOk(createKeyRing({ keyFile: path, instanceId, clock }))
  const supply = random.map((bytes) => Buffer.from(bytes, 'hex'))
  const randomBytes = (count: number): Buffer => {
    const next = supply.shift()
    if (next?.length !== count) throw new Error(`${count} random bytes were requested out of order`)
    return next
  }
  const passwordHasher = createPasswordHasher({ params: params ?? cheap })
  const secretCipher = createSecretCipher({ ring, passwordHasher, randomBytes })
  return {
    ring,
    secretCipher,
    textCipher: createTextCipher({ ring, randomBytes }),
    digests: createDigests({ ring }),
  }
}

function storedSecret({ row, stored }: SecretVector): StoredSecret {
  const { link } = row
  return {
    ...{ id: row.id, accountId: row.account_id, folderId: row.folder_id, kid: row.kid, notify: false },
    ...{
      createdAtMicros: row.created_at_micros,
      openLimit: row.open_limit ?? undefined,
      hasPassword: row.has_password,
    },
    link: link
      ? {
          lookup: Buffer.from(link.lookup, 'hex'),
          ...{ createdAtMicros: link.created_at_micros, expiresAtMicros: link.expires_at_micros },
        }
      : undefined,
    headCiphertext: unhex(stored.head),
  }
}

/** Normalised, as the core gives it to the cipher. */
function passwordOf({ password }: SecretVector): string | undefined {
  return password === null ? undefined : normalizePassword(password)
}

function storedNote({ stored }: SecretVector) {
  return { note: unhex(stored.note), wrappedKey: unhex(stored.wrap) }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function unhex(text: string): Ciphertext {
  return Buffer.from(text, 'hex') as Uint8Array as Ciphertext
}

interface Vectors {
  readonly instance_id: string
  readonly key_file: { readonly active_kid: number }
  readonly check_values: readonly { kid: number; check_value: string }[]
  readonly digests: {
    readonly access_token_digest: { token: string; digest: string }
    readonly link_tokens: readonly { random: string; at_micros: number; token: string; lookup: string }[]
    readonly account_indexes: { name: string; indexes: { kid: number; index: string }[] }
    readonly opaque_tokens: readonly { purpose: OpaqueTokenPurpose; token: string; digest: string }[]
    readonly keyed_digests: readonly {
      readonly purpose: KeyedDigestPurpose
      readonly text: string
      readonly digests: { kid: number; digest: string }[]
    }[]
    readonly address_bucket: { address: string; bucket: string }
  }
  readonly texts: readonly {
    readonly column: TextPlace['column']
    readonly account_id: string
    readonly row_id: string
    readonly kid: number
    readonly text: string
    readonly nonce: string
    readonly ciphertext: string
  }[]
  readonly sealed_texts: readonly {
    readonly account_id: string
    readonly token: string
    readonly text: string
    readonly nonce: string
    readonly sealed: string
  }[]
  readonly secrets: readonly SecretVector[]
  readonly rejected: readonly (SecretVector & { fails: { code: string; what: string } })[]
}

interface SecretVector {
  readonly name: string
  readonly row: {
    readonly id: string
    readonly account_id: string
    readonly folder_id: string
    readonly created_at_micros: number
    readonly open_limit: number | null
    readonly has_password: boolean
    readonly kid: number
    readonly link: { lookup: string; created_at_micros: number; expires_at_micros: number } | null
  }
  readonly label: string
  readonly link_token: string | null
  readonly note: string
  readonly password: string | null
  readonly argon2: { memory_kib: number; passes: number; lanes: number } | null
  readonly random: {
    readonly note_key: string
    readonly note_nonce: string
    readonly wrap_nonce: string
    readonly head_nonce: string
    readonly salt?: string
    readonly inner_nonce?: string
  }
  readonly intermediate: { readonly password_hash?: string }
  readonly stored: { readonly head: string; readonly wrap: string; readonly note: string }
}
