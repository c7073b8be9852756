import type { Ciphertext } from '@sotto/core'
import type { CipherHarness } from '@sotto/test-kit'
import { err, errAsync, ok } from 'neverthrow'
import { pause, slowly, type Broken } from './broken.ts'
import { secrets } from './secret-cipher.ts'
import { joined } from './text-cipher.ts'

/** Flaws of passwords and of rebinding. */
export const brokenPasswords: readonly Broken<CipherHarness>[] = [
  secrets(
    'accepts any password',
    [
      'secret-cipher/wrong-password-is-not-damage',
      'secret-cipher/long-password-is-used-in-full',
      'secret-cipher/rebinding-needs-no-password',
    ],
    (cipher) => ({
      encryptSecret: (plain) =>
        cipher.encryptSecret({ ...plain, ...(plain.password && { password: 'any' }) }),
      decryptNote: (secret, note, password) =>
        cipher.decryptNote(secret, note, password === undefined ? password : 'any'),
    }),
  ),
  secrets('reads 72 bytes of a password', ['secret-cipher/long-password-is-used-in-full'], (cipher) => ({
    encryptSecret: (plain) => cipher.encryptSecret({ ...plain, password: plain.password?.slice(0, 72) }),
    decryptNote: (secret, note, password) => cipher.decryptNote(secret, note, password?.slice(0, 72)),
  })),
  secrets('needs the password for the head', ['secret-cipher/right-password-opens'], (cipher) => ({
    decryptHead: (secret) =>
      secret.hasPassword
        ? err({ code: 'data_damaged', what: 'secret.head', id: secret.id })
        : cipher.decryptHead(secret),
  })),
  secrets(
    'treats a missing password as a wrong one',
    ['secret-cipher/missing-password-is-required'],
    (cipher) => ({
      decryptNote: (secret, note, password) => cipher.decryptNote(secret, note, password ?? ''),
    }),
  ),
  secrets(
    'treats an empty password as a missing one',
    ['secret-cipher/wrong-password-is-not-damage'],
    (cipher) => ({
      decryptNote: (secret, note, password) =>
        cipher.decryptNote(secret, note, password === '' ? undefined : password),
    }),
  ),
  secrets('treats a wrong password as damage', ['secret-cipher/wrong-password-is-not-damage'], (cipher) => ({
    decryptNote: (secret, note, password) =>
      cipher
        .decryptNote(secret, note, password)
        .mapErr((error) =>
          error.code === 'password_wrong'
            ? { code: 'data_damaged', what: 'secret.note', id: secret.id }
            : error,
        ),
  })),
  secrets(
    'treats damage as a wrong password',
    ['secret-cipher/damage-is-not-a-wrong-password'],
    (cipher) => ({
      decryptNote: (secret, note, password) =>
        cipher
          .decryptNote(secret, note, password)
          .mapErr((error) =>
            secret.hasPassword && error.code === 'data_damaged' ? { code: 'password_wrong' as const } : error,
          ),
    }),
  ),
  secrets('checks a note only with its password', ['secret-cipher/damage-needs-no-password'], (cipher) => ({
    decryptNote: (secret, note, password) =>
      secret.hasPassword && password === undefined
        ? errAsync({ code: 'password_required' as const })
        : cipher.decryptNote(secret, note, password),
  })),
  secrets('trusts a row without the password flag', ['secret-cipher/password-flag-is-bound'], (cipher) => ({
    decryptNote: (secret, note, password) =>
      cipher
        .decryptNote(secret, note, password)
        .orElse((error) => (secret.hasPassword || error.code !== 'data_damaged' ? err(error) : ok('a note'))),
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
  secrets('cannot rebind without the password', ['secret-cipher/rebinding-needs-no-password'], (cipher) => ({
    rebind: (all) =>
      all.from.hasPassword && all.wrap
        ? err({ code: 'data_damaged', what: 'secret.wrap', id: all.from.id })
        : cipher.rebind(all),
  })),
  secrets('rebinds under the old key', ['secret-cipher/rebinding-takes-the-active-key'], (cipher) => ({
    rebind: (all) =>
      all.link === all.from.link
        ? ok({ kid: all.from.kid, head: all.from.head, wrap: all.wrap })
        : cipher.rebind(all),
  })),
  secrets('makes a longer head', ['secret-cipher/rebinding-keeps-lengths'], (cipher) => ({
    rebind: (all) => cipher.rebind(all).map((keys) => ({ ...keys, head: joined(keys.head, [0]) })),
    decryptHead: (secret) =>
      cipher
        .decryptHead(secret)
        .orElse(() => cipher.decryptHead({ ...secret, head: secret.head.subarray(0, -1) as Ciphertext })),
  })),
  secrets(
    'makes a wrap where there was none',
    ['secret-cipher/rebinding-without-wrap-makes-the-head'],
    (cipher) => ({
      rebind: (all) => cipher.rebind(all).map((keys) => ({ ...keys, wrap: keys.wrap ?? keys.head })),
    }),
  ),
  secrets(
    'does not check the wrap that it rebinds',
    ['secret-cipher/rebinding-refuses-damage'],
    (cipher) => ({
      rebind: (all) =>
        cipher
          .rebind(all)
          .orElse(() =>
            cipher.rebind({ ...all, wrap: undefined }).map((keys) => ({ ...keys, wrap: all.wrap })),
          ),
    }),
  ),
]
