import { createNodeCrypto, type NodeCrypto, type NodeCryptoOptions } from '@sotto/adapter-node-crypto'
import type { Ciphertext, PlainSecret, SecretCipher, SecretHead, TextCipher } from '@sotto/core'
import { createFakeFileCipher } from '@sotto/test-kit'
import { ok, okAsync } from 'neverthrow'

/**
 * Ciphers that do not encrypt and digests that do not hash: everything, passwords included, is written in plaintext. With them a search for
 * plaintext in files must find something.
 */
export function plainCrypto(options: NodeCryptoOptions): NodeCrypto {
  const crypto = createNodeCrypto(options)
  const activeKid = (): number => crypto.keyRing.activeKid()
  const textCipher: TextCipher = {
    encryptText: (_place, text) => ({ kid: activeKid(), ciphertext: written(text) }),
    decryptText: (_place, { ciphertext }) => ok(read(ciphertext)),
    sealText: (_seal, text) => written(text),
    unsealText: (_seal, sealed) => read(sealed),
  }
  return {
    ...crypto,
    textCipher,
    fileCipher: { ...createFakeFileCipher(), newFileKey: () => crypto.fileCipher.newFileKey() },
    secretCipher: createPlainSecretCipher(activeKid),
    digests: {
      ...crypto.digests,
      accessTokenDigest: (token) => Buffer.from(token.padEnd(38, '.')).subarray(6, 38),
      linkLookup: (token) => Buffer.from(token, 'base64url'),
      opaqueTokenDigest: (_purpose, token) => Buffer.from(token, 'base64url'),
      keyedDigests: (_purpose, text) => [Buffer.from(text.padStart(32)).subarray(-32)],
    },
    passwordHasher: {
      params: crypto.passwordHasher.params,
      hash: ({ password }) => okAsync(Buffer.from(password.padEnd(32)).subarray(0, 32)),
    },
  }
}

function createPlainSecretCipher(activeKid: () => number): SecretCipher {
  // As long with a link token as without, because a head is overwritten in place.
  const head = (plain: SecretHead): Ciphertext => written(JSON.stringify(plain).padEnd(1_500))
  return {
    encryptSecret: ({ head: plain, note, password = '' }: PlainSecret) =>
      okAsync({
        kid: activeKid(),
        headCiphertext: head(plain),
        note: written(note),
        wrappedKey: written(`password: ${password}`),
      }),
    decryptHead: ({ headCiphertext: ciphertext }) => ok(JSON.parse(read(ciphertext)) as SecretHead),
    decryptNote: (_secret, { note }) => okAsync(read(note)),
    rebind: ({ wrappedKey, head: plain }) =>
      ok({ kid: activeKid(), headCiphertext: head(plain), wrappedKey }),
  }
}

function written(text: string): Ciphertext {
  return Buffer.from(text) as Uint8Array as Ciphertext
}

function read(ciphertext: Ciphertext): string {
  return Buffer.from(ciphertext).toString()
}
