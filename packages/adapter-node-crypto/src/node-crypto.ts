import type { Digests, KeyRingAdmin, Random, SecretCipher, TextCipher } from '@sotto/core'
import { createDigests } from './digests.ts'
import { HashQueue, type HashQueueOptions } from './hash-queue.ts'
import type { NodeKeyRing } from './key-ring.ts'
import { areArgon2ParamsSound, defaultArgon2Params, hashPassword, type Argon2Params } from './password.ts'
import { random, randomBytes } from './random.ts'
import { createSecretCipher } from './secret-cipher.ts'
import { createTextCipher } from './text-cipher.ts'

export interface NodeCryptoOptions {
  readonly ring: NodeKeyRing
  /** The price of a password that is set from now on. By default 64 MiB, 3 passes, 1 lane. */
  readonly argon2?: Partial<Argon2Params> | undefined
  /** How much hashing of passwords runs and waits. */
  readonly hashing?: HashQueueOptions | undefined
}

/** The ports that this package implements, by the names that the core knows them under. */
export interface NodeCrypto {
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly keyRing: KeyRingAdmin
  readonly digests: Digests
  readonly random: Random
  /** Turns away passwords that wait to be hashed and those that come; resolves when none is being hashed. */
  close(): Promise<void>
}

export function createNodeCrypto({ ring, argon2, hashing }: NodeCryptoOptions): NodeCrypto {
  const params = { ...defaultArgon2Params, ...argon2 }
  if (!areArgon2ParamsSound(params)) throw new TypeError('the Argon2 parameters are out of bounds')
  const queue = new HashQueue(hashing)
  return {
    textCipher: createTextCipher({ ring, randomBytes }),
    secretCipher: createSecretCipher({ ring, queue, hashPassword, params, randomBytes }),
    keyRing: ring,
    digests: createDigests({ ring }),
    random,
    close: () => queue.close(),
  }
}
