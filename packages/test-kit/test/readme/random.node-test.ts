import test from 'node:test'
import type { Random } from '@sotto/core'
import { randomContract, runContract, type RandomHarness } from '@sotto/test-kit'

/** An adapter: random bytes from the Web Crypto API. */
const webCryptoRandom: Random = { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) }

const harness: RandomHarness = {
  supports: [],
  open: async () => ({ random: webCryptoRandom, dispose: async () => {} }),
}

runContract(test, randomContract, harness)
