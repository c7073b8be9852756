import type { Ciphertext, DecryptError, Encrypted, TextCipher } from '@sotto/core'
import type { CipherHarness, FakeCipher } from '@sotto/test-kit'
import { err, type Result } from 'neverthrow'
import { fakeCipherHarness } from '../harnesses.ts'
import { brokenCipher, type Broken } from './broken.ts'

const fake = fakeCipherHarness()

/** Flaws of the harness and of the text cipher. */
export const brokenTextCiphers: readonly Broken<CipherHarness>[] = [
  {
    flaw: 'has the same keys in every installation',
    breaks: ['cipher/opens-apart', 'digests/keyed-ones-differ-between-installations'],
    harness: {
      supports: [],
      async open() {
        const { beside: _, spoil: __, ...cipher } = await fakeCipherHarness().open()
        return cipher
      },
    },
  },
  {
    flaw: 'supports less than its units do',
    breaks: ['cipher/offers-what-it-declares'],
    harness: { ...fake, supports: [] },
  },
  texts('loses spaces at the ends', ['text-cipher/text-comes-back'], (cipher) => ({
    encryptText: (place, text) => cipher.encryptText(place, text.trim()),
  })),
  texts('normalises characters', ['text-cipher/text-comes-back'], (cipher) => ({
    encryptText: (place, text) => cipher.encryptText(place, text.normalize('NFC')),
  })),
  texts(
    'encrypts under the first key',
    ['text-cipher/encrypts-under-the-active-key'],
    (cipher, { keyRing }) => ({
      encryptText: (place, text) => ({ ...cipher.encryptText(place, text), kid: keyRing.kids()[0] ?? 0 }),
    }),
  ),
  texts('decrypts only under the active key', ['text-cipher/old-keys-decrypt'], (cipher, { keyRing }) => ({
    decryptText: (place, encrypted) =>
      encrypted.kid === keyRing.activeKid()
        ? cipher.decryptText(place, encrypted)
        : err({ code: 'key_unknown', kid: encrypted.kid }),
  })),
  texts(
    'gives the same ciphertext for the same text',
    ['text-cipher/same-text-looks-different'],
    (cipher) => {
      const known = new Map<string, Encrypted>()
      return {
        encryptText(place, text) {
          const name = JSON.stringify([place, text])
          const encrypted = known.get(name) ?? cipher.encryptText(place, text)
          known.set(name, encrypted)
          return encrypted
        },
      }
    },
  ),
  texts(
    'appends the text to the ciphertext',
    ['text-cipher/ciphertext-hides-the-text', 'text-cipher/length-reveals-little'],
    (cipher) => {
      const lengths = new Map<string, number>()
      return {
        encryptText(place, text) {
          const { kid, ciphertext } = cipher.encryptText(place, text)
          lengths.set(place.rowId, ciphertext.length)
          return { kid, ciphertext: joined(ciphertext, new TextEncoder().encode(text)) }
        },
        decryptText: (place, { kid, ciphertext }) =>
          cipher.decryptText(place, {
            kid,
            ciphertext: ciphertext.slice(0, lengths.get(place.rowId)) as Ciphertext,
          }),
      }
    },
  ),
  ...(['column', 'accountId', 'rowId'] as const).map((part) =>
    texts(`ignores the ${part}`, ['text-cipher/other-place-is-damage'], (cipher) => ({
      encryptText: (place, text) => cipher.encryptText({ ...place, [part]: 'x' }, text),
      decryptText: (place, encrypted) =>
        cipher
          .decryptText({ ...place, [part]: 'x' }, encrypted)
          .mapErr((error) => (error.code === 'data_damaged' ? { ...error, id: place.rowId } : error)),
    })),
  ),
  texts('ignores the first byte', ['text-cipher/other-byte-is-damage'], (cipher) => ({
    decryptText: (place, { kid, ciphertext }) =>
      cipher.decryptText(place, { kid, ciphertext: joined([1], ciphertext.subarray(1)) }),
  })),
  texts('ignores an appended byte', ['text-cipher/other-length-is-damage'], (cipher) => ({
    decryptText: (place, { kid, ciphertext }) =>
      cipher
        .decryptText(place, { kid, ciphertext })
        .orElse(() => cipher.decryptText(place, { kid, ciphertext: ciphertext.slice(0, -1) as Ciphertext })),
  })),
  texts('throws on a ciphertext that is too short', ['text-cipher/other-length-is-damage'], (cipher) => ({
    decryptText(place, encrypted) {
      if (encrypted.ciphertext.length < 12) throw new RangeError('too short')
      return cipher.decryptText(place, encrypted)
    },
  })),
  texts('names another row as damaged', ['text-cipher/other-byte-is-damage'], (cipher) => ({
    decryptText: (place, encrypted) =>
      cipher.decryptText(place, encrypted).mapErr((error) => ({ ...error, id: place.accountId })),
  })),
  texts('tries all keys', ['text-cipher/other-key-is-damage'], (cipher, { keyRing }) => ({
    decryptText: (place, { kid, ciphertext }) =>
      anyKey([kid, ...keyRing.kids()], (each) => cipher.decryptText(place, { kid: each, ciphertext })),
  })),
  texts('treats an unknown key as damage', ['text-cipher/unknown-key-is-named'], (cipher) => ({
    decryptText: (place, encrypted) =>
      cipher
        .decryptText(place, encrypted)
        .mapErr(() => ({ code: 'data_damaged', what: 'text', id: place.rowId })),
  })),
]

function texts(
  flaw: string,
  breaks: readonly string[],
  change: (cipher: TextCipher, all: FakeCipher) => Partial<TextCipher>,
): Broken<CipherHarness> {
  return brokenCipher(flaw, breaks, (all) => ({
    textCipher: { ...all.textCipher, ...change(all.textCipher, all) },
  }))
}

/** The first Ok under any of the keys, or the first Err. */
export function anyKey<T>(
  kids: readonly number[],
  decrypt: (kid: number) => Result<T, DecryptError>,
): Result<T, DecryptError> {
  const results = kids.map(decrypt)
  return results.find((result) => result.isOk()) ?? results[0] ?? err({ code: 'key_unknown', kid: 0 })
}

export function joined(...parts: readonly Iterable<number>[]): Ciphertext {
  return Uint8Array.from(parts.flatMap((part) => [...part])) as Ciphertext
}
