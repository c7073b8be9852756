import test from 'node:test'
import type { Random } from '@sotto/core'
import { randomContract, skipReason, type RandomHarness } from '@sotto/test-kit'

/** An adapter: chance from the Web Crypto API. */
const webCryptoRandom: Random = { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) }

const harness: RandomHarness = {
  supports: [],
  open: async () => ({ random: webCryptoRandom, dispose: async () => {} }),
}

for (const each of randomContract) {
  test(each.id, { skip: skipReason(harness, each) }, () => each.run(harness))
}
