/**
 * Sotto's cryptographic ports on `node:crypto` and Argon2: make or open a key file, make a key ring that follows it, make the
 * ports from the ring. What is written, byte for byte, is told in docs/encryption.md.
 */
export type { HashQueueOptions } from './hash-queue.ts'
export { createKeyFile, type KeyFileOptions } from './key-file-changes.ts'
export { openKeyFile, type KeyFile, type KeyFileError, type KeyFileKey } from './key-file.ts'
export { createKeyRing, type KeyRingOptions, type NodeKeyRing } from './key-ring.ts'
export { createNodeCrypto, type NodeCrypto, type NodeCryptoOptions } from './node-crypto.ts'
export { defaultArgon2Params, type Argon2Params } from './password.ts'
