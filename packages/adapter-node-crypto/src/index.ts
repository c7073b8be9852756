/**
 * Sotto's cryptographic ports on `node:crypto` and Argon2. Create or open a key file, create a key ring that follows it, create the ports
 * from the ring. docs/encryption.md specifies every byte that is stored.
 */

export { defaultConcurrency, type HashQueuesOptions } from './passwords/hash-queues.ts'
export { createKeyFile, type KeyFileOptions } from './keys/key-file-changes.ts'
export { openKeyFile, type KeyFile, type KeyFileError, type KeyFileKey } from './keys/key-file.ts'
export { createKeyRing, type KeyRingOptions, type NodeKeyRing } from './keys/key-ring.ts'
export {
  openWithKeys,
  type KeysError,
  type OpenedWithKeys,
  type OpenWithKeysError,
  type OpenWithKeysOptions,
} from './keys/open-with-keys.ts'
export { createNodeCrypto, type NodeCrypto, type NodeCryptoOptions } from './node-crypto.ts'
export {
  createPasswordHasher,
  defaultPasswordHashParams,
  type NodePasswordHasher,
  type PasswordHasherOptions,
} from './passwords/password-hasher.ts'
