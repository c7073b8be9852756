/** The port `passkeyVerifier` of `@sotto/identity`, which this path needs, on `node:crypto`. */

export { passkeyVerifier } from './passkey-verifier.ts'
