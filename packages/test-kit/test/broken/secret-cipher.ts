import type { Ciphertext, PlainSecret, SecretCipher, StoredNote, StoredSecret } from '@sotto/core'
import type { CipherHarness, FakeCipher } from '@sotto/test-kit'
import { err, errAsync } from 'neverthrow'
import { brokenCipher, type Broken } from './broken.ts'
import { anyKey, joined } from './text-cipher.ts'

type Row = PlainSecret['row']

/** Flaws of the secret cipher, passwords and rebinding aside. */
export const brokenSecretCiphers: readonly Broken<CipherHarness>[] = [
  secrets('stores only 64 KiB of a note', ['secret-cipher/note-comes-back'], (cipher) => ({
    encryptSecret: (plain) => cipher.encryptSecret({ ...plain, note: plain.note.slice(0, 65_536) }),
  })),
  secrets('loses spaces at the ends of a note', ['secret-cipher/note-comes-back'], (cipher) => ({
    encryptSecret: (plain) => cipher.encryptSecret({ ...plain, note: plain.note.trim() }),
  })),
  secrets('loses the end of a label', ['secret-cipher/head-comes-back'], (cipher) => ({
    encryptSecret: (plain) =>
      cipher.encryptSecret({ ...plain, head: { ...plain.head, label: plain.head.label.slice(0, 255) } }),
  })),
  secrets('gives drafts an empty link token', ['secret-cipher/head-comes-back'], (cipher) => ({
    decryptHead: (secret) =>
      cipher.decryptHead(secret).map((head) => ({ ...head, linkToken: head.linkToken ?? '' })),
  })),
  secrets(
    'encrypts under the first key',
    ['secret-cipher/encrypts-under-the-active-key'],
    (cipher, { keyRing }) => ({
      encryptSecret: (plain) =>
        cipher.encryptSecret(plain).map((keys) => ({ ...keys, kid: keyRing.kids()[0] ?? 0 })),
    }),
  ),
  secrets(
    'decrypts only under the active key',
    ['secret-cipher/old-keys-decrypt'],
    (cipher, { keyRing }) => ({
      decryptHead: (secret) =>
        secret.kid === keyRing.activeKid()
          ? cipher.decryptHead(secret)
          : err({ code: 'key_unknown', kid: secret.kid }),
    }),
  ),
  secrets(
    'gives the same ciphertexts for the same secret',
    ['secret-cipher/same-secret-looks-different'],
    (cipher) => {
      const known = new Map<PlainSecret, ReturnType<SecretCipher['encryptSecret']>>()
      return {
        encryptSecret(plain) {
          const answer = known.get(plain) ?? cipher.encryptSecret(plain)
          known.set(plain, answer)
          return answer
        },
      }
    },
  ),
  noting(
    'appends the note to the ciphertext',
    ['secret-cipher/ciphertexts-hide-the-plaintext', 'secret-cipher/length-reveals-little'],
    ({ note }) => new TextEncoder().encode(note),
  ),
  noting(
    'appends the link token to the ciphertext',
    ['secret-cipher/ciphertexts-hide-the-plaintext'],
    ({ head }) => Buffer.from(head.linkToken ?? '', 'base64url'),
  ),
  secrets('refuses a needless password', ['secret-cipher/needless-password-is-ignored'], (cipher) => ({
    decryptNote: (secret, note, password) =>
      password !== undefined && !secret.hasPassword
        ? errAsync({ code: 'password_wrong' })
        : cipher.decryptNote(secret, note, password),
  })),
  ...unbound(),
  secrets(
    'does not bind a note to its wrap',
    ['secret-cipher/parts-of-another-secret-are-damage'],
    (cipher) => {
      const wraps = new Map<string, StoredNote>()
      return {
        encryptSecret: (plain) =>
          cipher.encryptSecret(plain).map((keys) => {
            wraps.set(Buffer.from(keys.note).toString('hex'), { note: keys.note, wrap: keys.wrap })
            return keys
          }),
        decryptNote: (secret, note, password) =>
          cipher.decryptNote(secret, wraps.get(Buffer.from(note.note).toString('hex')) ?? note, password),
      }
    },
  ),
  secrets('ignores the first byte of a head', ['secret-cipher/other-byte-is-damage'], (cipher) => ({
    decryptHead: (secret) => cipher.decryptHead({ ...secret, head: joined([1], secret.head.subarray(1)) }),
  })),
  secrets('ignores the first byte of a note', ['secret-cipher/other-byte-is-damage'], (cipher) => ({
    decryptNote: (secret, note, password) =>
      cipher.decryptNote(secret, { ...note, note: joined([1], note.note.subarray(1)) }, password),
  })),
  secrets('ignores the first byte of a wrap', ['secret-cipher/other-byte-is-damage'], (cipher) => ({
    decryptNote: (secret, note, password) =>
      cipher.decryptNote(secret, { ...note, wrap: joined([1], note.wrap.subarray(1)) }, password),
  })),
  secrets('ignores an appended byte', ['secret-cipher/other-length-is-damage'], (cipher) => ({
    decryptHead: (secret) =>
      cipher
        .decryptHead(secret)
        .orElse(() => cipher.decryptHead({ ...secret, head: secret.head.slice(0, -1) as Ciphertext })),
  })),
  secrets('throws on an empty note', ['secret-cipher/other-length-is-damage'], (cipher) => ({
    decryptNote(secret, note, password) {
      if (note.note.length === 0) throw new RangeError('empty')
      return cipher.decryptNote(secret, note, password)
    },
  })),
  secrets('tries all keys', ['secret-cipher/other-key-is-damage'], (cipher, { keyRing }) => ({
    decryptHead: (secret) =>
      anyKey([secret.kid, ...keyRing.kids()], (kid) => cipher.decryptHead({ ...secret, kid })),
  })),
  secrets(
    'treats an unknown key as damage',
    ['secret-cipher/unknown-key-is-named', 'secret-cipher/rebinding-names-an-unknown-key'],
    (cipher) => ({
      decryptHead: (secret) =>
        cipher
          .decryptHead(secret)
          .mapErr(() => ({ code: 'data_damaged', what: 'secret.head', id: secret.id })),
      rebind: (all) =>
        cipher.rebind(all).mapErr(() => ({ code: 'data_damaged', what: 'secret.wrap', id: all.from.id })),
    }),
  ),
  secrets(
    'binds an edited draft to the columns before',
    ['secret-cipher/rebinding-binds-to-the-new-columns'],
    (cipher) => ({ rebind: (all) => cipher.rebind({ ...all, columns: undefined }) }),
  ),
  secrets(
    'binds an edited draft to its new folder only',
    ['secret-cipher/rebinding-binds-to-the-new-columns'],
    (cipher) => ({
      rebind: (all) =>
        cipher.rebind({ ...all, columns: all.columns && { ...all.columns, openLimit: all.from.openLimit } }),
    }),
  ),
  secrets('names the wrong key', ['secret-cipher/unknown-key-is-named'], (cipher) => ({
    decryptNote: (secret, ...asked) =>
      cipher
        .decryptNote(secret, ...asked)
        .mapErr((error) => (error.code === 'key_unknown' ? { ...error, kid: 0 } : error)),
  })),
]

export function secrets(
  flaw: string,
  breaks: readonly string[],
  change: (cipher: SecretCipher, all: FakeCipher) => Partial<SecretCipher>,
): Broken<CipherHarness> {
  return brokenCipher(flaw, breaks, (all) => ({
    secretCipher: { ...all.secretCipher, ...change(all.secretCipher, all) },
  }))
}

/** A cipher that appends bytes to each note. */
function noting(
  flaw: string,
  breaks: readonly string[],
  more: (plain: PlainSecret) => Uint8Array,
): Broken<CipherHarness> {
  return secrets(flaw, breaks, (cipher) => ({
    encryptSecret: (plain) =>
      cipher.encryptSecret(plain).map((keys) => ({ ...keys, note: joined(keys.note, more(plain)) })),
  }))
}

/** Ciphers to each of which one column of the row is always the same. */
function unbound(): readonly Broken<CipherHarness>[] {
  const nowhere = (row: Row, changed: Partial<NonNullable<Row['link']>>): Row['link'] =>
    row.link && { ...row.link, ...changed }
  const both = ['secret-cipher/head-is-bound-to-its-row', 'secret-cipher/note-is-bound-to-its-row']
  const columns: readonly (readonly [string, readonly string[], (row: Row) => Partial<Row>])[] = [
    ['the account', both, () => ({ accountId: 'x' })],
    ['the folder', both.slice(0, 1), () => ({ folderId: 'x' })],
    ['the id', both, () => ({ id: 'x' })],
    ['the creation', both.slice(0, 1), () => ({ createdAtMicros: 0 })],
    ['the lookup', both, (row) => ({ link: nowhere(row, { lookup: new Uint8Array(32) }) })],
    ['the creation of the link', both.slice(0, 1), (row) => ({ link: nowhere(row, { createdAtMicros: 0 }) })],
    ['the expiry', both, (row) => ({ link: nowhere(row, { expiresAtMicros: 0 }) })],
    ['the open limit', both, () => ({ openLimit: 0 })],
    ['the password flag', both, () => ({ hasPassword: false })],
    ['the link', [...both, 'secret-cipher/rebinding-binds-to-the-new-row'], () => ({ link: undefined })],
  ]
  return columns.map(([column, breaks, always]) => {
    const seen = <R extends Row>(row: R): R => ({ ...row, ...always(row) })
    return secrets(`does not bind ${column}`, breaks, (cipher) => ({
      encryptSecret: (plain) => cipher.encryptSecret({ ...plain, row: seen(plain.row) }),
      decryptHead: (secret) => named(cipher.decryptHead(seen(secret)), secret),
      decryptNote: (secret, ...asked) =>
        cipher
          .decryptNote(seen(secret), ...asked)
          .mapErr((error) => (error.code === 'data_damaged' ? { ...error, id: secret.id } : error)),
      rebind: (all) =>
        cipher.rebind({
          ...all,
          from: seen(all.from),
          link: seen({ ...all.from, link: all.link }).link,
        }),
    }))
  })
}

function named(
  result: ReturnType<SecretCipher['decryptHead']>,
  { id }: StoredSecret,
): ReturnType<SecretCipher['decryptHead']> {
  return result.mapErr((error) => (error.code === 'data_damaged' ? { ...error, id } : error))
}
