import { mkdirSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import {
  cipherContract,
  createManualClock,
  noonMicros,
  randomContract,
  skipReason,
  type CipherHarness,
  type CipherUnderTest,
  type RandomHarness,
} from '@sotto/test-kit'
import { createKeyFile, createKeyRing, createNodeCrypto } from '../src/index.ts'
import { random } from '../src/random.ts'
import { cheap, value } from './support.ts'

const clock = createManualClock(noonMicros)
const root = t.testdir()
let installations = 0

/** One process of an installation, which is a key file and an instance id. */
function underTest(path: string, instanceId: Uint8Array): CipherUnderTest {
  const ring = value(createKeyRing({ keyFile: path, instanceId, clock }))
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
    value(createKeyFile({ path, clock }))
    return underTest(path, randomBytes(16))
  },
}

for (const each of cipherContract) {
  t.test(each.id, { skip: skipReason(ciphers, each) }, async (t) => {
    await each.run(ciphers)
    t.pass(each.rule)
  })
}

const chance: RandomHarness = { supports: [], open: async () => ({ random, async dispose() {} }) }

for (const each of randomContract) {
  t.test(each.id, { skip: skipReason(chance, each) }, async (t) => {
    await each.run(chance)
    t.pass(each.rule)
  })
}
