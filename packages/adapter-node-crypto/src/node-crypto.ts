import type {
  Digests,
  FileCipher,
  KeyRingAdmin,
  PasswordHasher,
  PasswordHashParams,
  Random,
  SecretCipher,
  TextCipher,
} from '@sotto/core'
import { createDigests } from './cipher/digests.ts'
import { createFileCipher } from './files/file-cipher.ts'
import type { HashQueuesOptions } from './passwords/hash-queues.ts'
import type { NodeKeyRing } from './keys/key-ring.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { random, randomBytes } from './shared/random.ts'
import { createSecretCipher } from './secrets/secret-cipher.ts'
import { createTextCipher } from './cipher/text-cipher.ts'

/** What the cryptographic ports work with. */
export interface NodeCryptoOptions {
  /** The keys, from `createKeyRing`. */
  readonly ring: NodeKeyRing
  /** Hashes the passwords, and may hash others too. Without it, one is created from `argon2` and `hashing`. */
  readonly passwordHasher?: PasswordHasher | undefined
  /** What a password that is set from now on costs. By default 64 MiB, 3 passes, 1 lane. */
  readonly argon2?: Partial<PasswordHashParams> | undefined
  /** How many passwords are hashed at the same time, how many may wait, and how long. */
  readonly hashing?: HashQueuesOptions | undefined
}

/** The ports that this package implements, under the names of `Ports` in the core. */
export interface NodeCrypto {
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly fileCipher: FileCipher
  readonly keyRing: KeyRingAdmin
  readonly digests: Digests
  readonly random: Random
  /**
   * The hasher that `secretCipher` uses, which others may share: each caller has queues of its own, and one limit holds for all
   * simultaneous jobs.
   */
  readonly passwordHasher: PasswordHasher
  /**
   * Refuses every password that waits to be hashed and every later one; resolves when none is being hashed any more. Does nothing to a
   * hasher that was given in the options.
   */
  close(): Promise<void>
}

/** Creates the ports. Throws a `TypeError` when the parameters of Argon2 are out of bounds. */
export function createNodeCrypto(options: NodeCryptoOptions): NodeCrypto {
  const { ring } = options
  const { passwordHasher, close } = hasherOf(options)
  return {
    textCipher: createTextCipher({ ring, randomBytes }),
    secretCipher: createSecretCipher({ ring, passwordHasher, randomBytes }),
    fileCipher: createFileCipher({ randomBytes }),
    keyRing: ring,
    digests: createDigests({ ring }),
    random,
    passwordHasher,
    close,
  }
}

function hasherOf({
  passwordHasher,
  argon2,
  hashing,
}: NodeCryptoOptions): Pick<NodeCrypto, 'passwordHasher' | 'close'> {
  if (passwordHasher === undefined) {
    const created = createPasswordHasher({ ...hashing, params: argon2 })
    return { passwordHasher: created, close: () => created.close() }
  }
  if (argon2 !== undefined || hashing !== undefined) {
    throw new TypeError('argon2 and hashing are settings of the password hasher that was given')
  }
  return { passwordHasher, close: () => Promise.resolve() }
}
