import { createNodeCrypto, type NodeCrypto, type NodeCryptoOptions } from '@sotto/adapter-node-crypto'

/** Passwords that cost nothing, for campaigns that do not measure their price. */
export function cheapCrypto(options: NodeCryptoOptions): NodeCrypto {
  return createNodeCrypto({ ...options, argon2: { memoryKiB: 8, passes: 1 } })
}
