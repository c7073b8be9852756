import { activeKeyOf, type Random } from '@sotto/core'
import type { FullPorts } from '@sotto/identity'
import { createFakeCipher, type FakeCipher } from './cipher/fake-cipher.ts'
import { createFakeFileCipher } from './files/fake-file-cipher.ts'
import { createFakeKeyRing } from './cipher/fake-key-ring.ts'
import { createFakePasskeyVerifier } from './passkeys/fake-passkeys.ts'
import { createFakePasswordHasher, type FakePasswordHasher } from './passwords/fake-password-hasher.ts'
import {
  createMemoryIdentityProvider,
  type MemoryIdentityProvider,
} from './single-sign-on/memory-identity-provider.ts'
import { createManualClock, type ManualClock } from './shared/manual-clock.ts'
import { createMemoryMailSender, type MemoryMailSender } from './notifications/mails/memory-mail-sender.ts'
import {
  createMemoryWebhookSender,
  type MemoryWebhookSender,
} from './notifications/webhooks/memory-webhook-sender.ts'
import { createMemoryStorage, type MemoryStorage } from './storage/memory-storage.ts'
import { createSeededRandom } from './shared/seeded-random.ts'
import { noonMicros } from './shared/samples.ts'

/** Every port of the core as a fake. */
export interface MemoryPorts extends FullPorts, FakeCipher, MemoryStorage {
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
