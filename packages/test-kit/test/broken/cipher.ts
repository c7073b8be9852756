import type { Ciphertext, Digests, Encrypted, PlainSecret, SecretCipher, TextCipher } from '@sotto/core'
import type { CipherHarness, FakeCipher, FakeKeyRing } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import { createHash } from 'node:crypto'
import { brokenCipher, pause, slowly, type Broken } from './broken.ts'
import { fakeCipherHarness } from '../harnesses.ts'

const fake = fakeCipherHarness()
let processes = 0

/** Flaws of the cipher and its parts. */
export const brokenCiphers: readonly Broken<CipherHarness>[] = [
  {
    flaw: 'supports less than its units do',
    breaks: ['cipher/offers-what-it-declares'],
    harness: { ...fake, supports: [] },
  },
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
  secrets('ignores the first byte of a head', ['secret-cipher/other-byte-is-corruption'], (cipher) => ({
    decryptHead: (secret) =>
      cipher.decryptHead({ ...secret, headCiphertext: joined([1], secret.headCiphertext.subarray(1)) }),
  })),
  secrets(
    'is busy for all secrets while it hashes a password',
    ['secret-cipher/no-password-is-never-busy'],
    (cipher) => {
      let hashing = 0
      return {
        encryptSecret(plain) {
          if (hashing > 0) return errAsync({ code: 'hasher_busy' })
          if (plain.password === undefined) return cipher.encryptSecret(plain)
          hashing += 1
          return slowly(async () => {
            await pause()
            hashing -= 1
            return cipher.encryptSecret(plain)
          })
        },
      }
    },
  ),
  secrets('loses the link token of a shared draft', ['secret-cipher/shared-draft-comes-back'], (cipher) => ({
    rebind: (all) => cipher.rebind({ ...all, head: { ...all.head, linkToken: undefined } }),
  })),
  secrets(
    'loses the digest of a proof in a rotation',
    ['secret-cipher/proof-digest-comes-back'],
    (cipher) => ({
      rebind: (all) =>
        cipher.rebind({ ...all, head: { label: all.head.label, linkToken: all.head.linkToken } }),
    }),
  ),
  secrets('loses the key of a request in a rotation', ['secret-cipher/request-key-comes-back'], (cipher) => ({
    rebind: (all) =>
      cipher.rebind({ ...all, head: { label: all.head.label, linkToken: all.head.linkToken } }),
  })),
  ring('removes no key', ['key-ring/removed-key-is-gone'], () => ({
    removeKey: () => okAsync(undefined),
  })),
  digests('gives another bucket each time', ['digests/are-deterministic'], () => {
    let asked = 0
    return { addressBucket: (address) => sha256(`${(asked += 1)} ${address}`).toString('hex') }
  }),
  digests('drops the last random byte', ['digests/link-token-carries-its-random-bytes'], (real) => ({
    makeLinkToken: (random, atMicros) =>
      real.makeLinkToken(Uint8Array.from([...random.subarray(0, 27), 0]), atMicros),
  })),
  digests(
    'writes the second little-endian',
    ['digests/lookup-begins-with-the-second', 'digests/later-lookups-sort-later'],
    (real) => ({
      linkLookup(token) {
        const lookup = Buffer.from(real.linkLookup(token))
        lookup.subarray(0, 4).swap32()
        return lookup
      },
    }),
  ),
  digests('hides the time differently in each process', ['digests/links-are-the-same-beside'], (real) => {
    processes += 1
    const offsetMicros = processes * 1_000_000
    return { makeLinkToken: (random, atMicros) => real.makeLinkToken(random, atMicros + offsetMicros) }
  }),
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

function joined(...parts: readonly Iterable<number>[]): Ciphertext {
  return Uint8Array.from(parts.flatMap((part) => [...part])) as Ciphertext
}

function secrets(
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

/** Ciphers whose ring is changed in place, since they hold it. */
function ring(
  flaw: string,
  breaks: readonly string[],
  change: (ring: FakeKeyRing) => Partial<FakeKeyRing>,
): Broken<CipherHarness> {
  return brokenCipher(flaw, breaks, ({ keyRing }) => {
    Object.assign(keyRing, change({ ...keyRing }))
    return {}
  })
}

function digests(
  flaw: string,
  breaks: readonly string[],
  change: (real: Digests, all: FakeCipher) => Partial<Digests>,
): Broken<CipherHarness> {
  return brokenCipher(flaw, breaks, (all) => ({ digests: { ...all.digests, ...change(all.digests, all) } }))
}

function sha256(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest()
}
