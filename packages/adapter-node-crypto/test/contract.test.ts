import { mkdirSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import {
  cipherContract,
  createSoftPasskey,
  expectOk,
  passkeyVerifierContract,
  passwordHasherContract,
  randomContract,
  runContract,
  type CipherHarness,
  type CipherUnderTest,
  type PasskeyVerifierHarness,
  type PasswordHasherHarness,
  type RandomHarness,
} from '@sotto/test-kit'
import { createSystemClock } from '@sotto/system'
import { createKeyFile, createKeyRing, createNodeCrypto, createPasswordHasher } from '../src/index.ts'
import { passkeyVerifier } from '../src/passkeys/passkey-verifier.ts'
import { random } from '../src/shared/random.ts'
import { cheap } from './support.ts'

// Processes look at the key file as time passes.
const clock = createSystemClock()
const root = t.testdir()
let installations = 0

/** One process of an installation, which is a key file and an instance id. */
function underTest(path: string, instanceId: Uint8Array): CipherUnderTest {
  const ring = expectOk(createKeyRing({ keyFile: path, instanceId, clock }))
  const { close, ...ports } = createNodeCrypto({ ring, argon2: cheap })
  return {
    ...ports,
    dispose: close,
    beside: async () => underTest(path, instanceId),
    async spoil() {
      rmSync(path)
      mkdirSync(path)
    },
  }
}

const ciphers: CipherHarness = {
  supports: ['beside', 'spoil'],
  async open() {
    installations += 1
    const path = join(root, String(installations), 'keys.json')
    expectOk(createKeyFile({ path, clock }))
    return underTest(path, randomBytes(16))
  },
}

const hashers: PasswordHasherHarness = {
  supports: ['argon2id', 'close'],
  async open() {
    const hasher = createPasswordHasher({ params: cheap })
    return { hasher, dispose: () => hasher.close() }
  },
}

const passkeys: PasskeyVerifierHarness = {
  supports: [],
  open: async () => ({
    verifier: passkeyVerifier,
    passkeys: [createSoftPasskey('ES256'), createSoftPasskey('EdDSA'), createSoftPasskey('RS256')],
    async dispose() {},
  }),
}

const randoms: RandomHarness = { supports: [], open: async () => ({ random, async dispose() {} }) }

runContract(t.test, cipherContract, ciphers)
runContract(t.test, passwordHasherContract, hashers)
runContract(t.test, passkeyVerifierContract, passkeys)
runContract(t.test, randomContract, randoms)
