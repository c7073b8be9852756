import { activeKeyOf, type Ports, type Random } from '@sotto/core'
import { createFakeCipher, type FakeCipher } from './fake-cipher.ts'
import { createFakeFileCipher } from './fake-file-cipher.ts'
import { createFakeKeyRing } from './fake-key-ring.ts'
import { createFakePasskeyVerifier } from './fake-passkeys.ts'
import { createFakePasswordHasher, type FakePasswordHasher } from './fake-password-hasher.ts'
import { createMemoryIdentityProvider, type MemoryIdentityProvider } from './memory-identity-provider.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import {
  createMemoryMailSender,
  createMemoryWebhookSender,
  type MemoryMailSender,
  type MemoryWebhookSender,
} from './memory-senders.ts'
import { createMemoryStorage, type MemoryStorage } from './memory-storage.ts'
import { createSeededRandom } from './seeded-random.ts'
import { noonMicros } from '../samples.ts'

/** Every port of the core as a fake. */
export interface MemoryPorts extends Ports, FakeCipher, MemoryStorage {
  readonly keyRing: FakeCipher['keyRing']
  readonly quota: MemoryStorage['quota']
  readonly fileContents: MemoryStorage['fileContents']
  readonly passwordHasher: FakePasswordHasher
  readonly mailSender: MemoryMailSender
  readonly webhookSender: MemoryWebhookSender
  readonly identityProvider: MemoryIdentityProvider
  readonly clock: ManualClock
  readonly random: Random
}

/** What `createMemoryPorts` takes. */
export interface MemoryPortsOptions {
  /** The time at the start, in microseconds since the epoch; in October 2025 by default. */
  readonly nowMicros?: number
  /** The randomness; the same seed gives the same ids and tokens. 1 by default. */
  readonly seed?: number
}

/** Every port that `createSotto` takes, in memory, with a clock that the test moves and randomness that repeats itself. For tests only. */
export function createMemoryPorts({
  nowMicros = noonMicros,
  seed = 1,
}: MemoryPortsOptions = {}): MemoryPorts {
  const storage = createMemoryStorage()
  const activeKid = () => activeKeyOf([...storage.data.keys.values()])?.kid
  return {
    ...storage,
    ...createFakeCipher({ keyRing: createFakeKeyRing({ activeKid }) }),
    fileCipher: createFakeFileCipher(),
    passwordHasher: createFakePasswordHasher(),
    passkeyVerifier: createFakePasskeyVerifier(),
    mailSender: createMemoryMailSender(),
    webhookSender: createMemoryWebhookSender(),
    identityProvider: createMemoryIdentityProvider(),
    clock: createManualClock(nowMicros),
    random: createSeededRandom(seed),
  }
}
