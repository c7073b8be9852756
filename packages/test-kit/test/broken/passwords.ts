import type { Ciphertext } from '@sotto/core'
import type { CipherHarness } from '@sotto/test-kit'
import { err, errAsync, ok } from 'neverthrow'
import { pause, slowly, type Broken } from './broken.ts'
import { secrets } from './secrets-encrypted.ts'

/** Faults of passwords and of rebinding. */
export const brokenPasswords: readonly Broken<CipherHarness>[] = [
  secrets(
    'opens with any password',
    [
      'secret-cipher/wrong-password-is-told-from-damage',
      'secret-cipher/long-password-counts-to-its-end',
      'secret-cipher/rebinding-needs-no-password',
    ],
    (cipher) => ({
      encryptSecret: (plain) =>
        cipher.encryptSecret({ ...plain, ...(plain.password && { password: 'any' }) }),
      decryptNote: (secret, note, password) =>
        cipher.decryptNote(secret, note, password === undefined ? password : 'any'),
    }),
  ),
  secrets('reads 72 bytes of a password', ['secret-cipher/long-password-counts-to-its-end'], (cipher) => ({
    encryptSecret: (plain) => cipher.encryptSecret({ ...plain, password: plain.password?.slice(0, 72) }),
    decryptNote: (secret, note, password) => cipher.decryptNote(secret, note, password?.slice(0, 72)),
  })),
  secrets('wants the password for the head', ['secret-cipher/right-password-opens'], (cipher) => ({
    decryptHead: (secret) =>
      secret.hasPassword
        ? err({ code: 'data_damaged', what: 'secret.head', id: secret.id })
        : cipher.decryptHead(secret),
  })),
  secrets('takes no password for a wrong one', ['secret-cipher/missing-password-is-asked-for'], (cipher) => ({
    decryptNote: (secret, note, password) => cipher.decryptNote(secret, note, password ?? ''),
  })),
  secrets(
    'takes an empty password for none',
    ['secret-cipher/wrong-password-is-told-from-damage'],
    (cipher) => ({
      decryptNote: (secret, note, password) =>
        cipher.decryptNote(secret, note, password === '' ? undefined : password),
    }),
  ),
  secrets(
    'takes a wrong password for damage',
    ['secret-cipher/wrong-password-is-told-from-damage'],
    (cipher) => ({
      decryptNote: (secret, note, password) =>
        cipher
          .decryptNote(secret, note, password)
          .mapErr((error) =>
            error.code === 'password_wrong'
              ? { code: 'data_damaged', what: 'secret.note', id: secret.id }
              : error,
          ),
    }),
  ),
  secrets(
    'takes damage for a wrong password',
    ['secret-cipher/damage-is-told-from-a-wrong-password'],
    (cipher) => ({
      decryptNote: (secret, note, password) =>
        cipher
          .decryptNote(secret, note, password)
          .mapErr((error) =>
            secret.hasPassword && error.code === 'data_damaged' ? { code: 'password_wrong' as const } : error,
          ),
    }),
  ),
  secrets(
    'obeys a password flag that was taken away',
    ['secret-cipher/password-flag-is-bound'],
    (cipher) => ({
      decryptNote: (secret, note, password) =>
        cipher
          .decryptNote(secret, note, password)
          .orElse((error) =>
            secret.hasPassword || error.code !== 'data_damaged' ? err(error) : ok('a note'),
          ),
    }),
  ),
  secrets(
    'hashes one password at a time, and lets all others wait',
    ['secret-cipher/no-password-is-never-busy'],
    (cipher) => {
      let hashing = 0
      return {
        encryptSecret(plain) {
          if (hashing > 0) return errAsync({ code: 'cipher_busy' })
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
    rebind: (from, wrap, to) => cipher.rebind(from, wrap, { ...to, linkToken: undefined }),
  })),
  secrets('cannot rebind without the password', ['secret-cipher/rebinding-needs-no-password'], (cipher) => ({
    rebind: (from, wrap, to) =>
      from.hasPassword && wrap
        ? err({ code: 'data_damaged', what: 'secret.wrap', id: from.id })
        : cipher.rebind(from, wrap, to),
  })),
  secrets(
    'leaves what it rebinds under its key',
    ['secret-cipher/rebinding-takes-the-active-key'],
    (cipher) => ({
      rebind: (from, wrap, to) =>
        to.link === from.link ? ok({ kid: from.kid, head: from.head, wrap }) : cipher.rebind(from, wrap, to),
    }),
  ),
  secrets('makes a longer head', ['secret-cipher/rebinding-keeps-lengths'], (cipher) => ({
    rebind: (...given) =>
      cipher.rebind(...given).map((keys) => ({
        ...keys,
        head: Uint8Array.from([...keys.head, 0]) as Ciphertext,
      })),
    decryptHead: (secret) =>
      cipher
        .decryptHead(secret)
        .orElse(() => cipher.decryptHead({ ...secret, head: secret.head.subarray(0, -1) as Ciphertext })),
  })),
  secrets(
    'makes a wrap where there was none',
    ['secret-cipher/rebinding-without-wrap-makes-the-head'],
    (cipher) => ({
      rebind: (from, wrap, to) =>
        cipher.rebind(from, wrap, to).map((keys) => ({ ...keys, wrap: keys.wrap ?? keys.head })),
    }),
  ),
  secrets(
    'does not look at the wrap that it rebinds',
    ['secret-cipher/rebinding-refuses-damage'],
    (cipher) => ({
      rebind: (from, wrap, to) =>
        cipher
          .rebind(from, wrap, to)
          .orElse(() => cipher.rebind(from, undefined, to).map((keys) => ({ ...keys, wrap }))),
    }),
  ),
]
