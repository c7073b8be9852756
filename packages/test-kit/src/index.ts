/** Fakes of the core's ports in memory, and the contract of every port as data for those who write adapters. */

// Contracts
export type { ContractCase, Harness, Unit } from './contract/contract.ts'
export { skipReason } from './contract/contract.ts'
export type { TestFunction } from './contract/run-contract.ts'
export { runContract } from './contract/run-contract.ts'

// Contracts of a storage
export type {
  HistoryOptions,
  StorageCapability,
  StorageCase,
  StorageHarness,
  StorageUnderTest,
} from './stores/harness.ts'
export { idempotencyStoreContract } from './secrets/idempotency-store.ts'
export { draftStoreContract } from './drafts/draft-store.ts'
export { folderStoreContract } from './folders/folder-store.ts'
export { linkStoreContract } from './secrets/link-store.ts'
export {
  accessTokenStoreContract,
  accountStoreContract,
  corruptionStoreContract,
  deliveryStoreContract,
  emailChangeStoreContract,
  identityStoreContract,
  invitationStoreContract,
  keyStoreContract,
  outboxStoreContract,
  passkeyStoreContract,
  passwordStoreContract,
  requestStoreContract,
  rewrapStoreContract,
  serverStoreContract,
  sessionStoreContract,
  signInStoreContract,
  upkeepContract,
  usedTokenStoreContract,
  webhookStoreContract,
} from './storage/history-contracts.ts'
export { secretFileStoreContract } from './files/secret-file-store.ts'
export { secretStoreContract } from './secrets/secret-store.ts'
export { storageContract } from './storage/storage.ts'
export type { StoresUnderTest } from './storage/beside-memory.ts'
export { besideMemory } from './storage/beside-memory.ts'

// Contracts of the other ports
export type { CipherCapability, CipherCase, CipherHarness, CipherUnderTest } from './cipher/harness.ts'
export { cipherContract } from './cipher/cipher.ts'
export type {
  IdentityProviderHarness,
  IdentityProviderUnderTest,
  ProvenPerson,
} from './single-sign-on/identity-provider.ts'
export { identityProviderContract } from './single-sign-on/identity-provider.ts'
export type { ClockCapability, ClockHarness, ClockUnderTest } from './shared/clock.ts'
export { clockContract } from './shared/clock.ts'
export type { PasskeyVerifierHarness, PasskeyVerifierUnderTest } from './passkeys/passkey-verifier.ts'
export { passkeyVerifierContract } from './passkeys/passkey-verifier.ts'
export type {
  PasswordHasherCapability,
  PasswordHasherHarness,
  PasswordHasherUnderTest,
} from './passwords/password-hasher.ts'
export { passwordHasherContract } from './passwords/password-hasher.ts'
export type { QuotaCapability, QuotaCase, QuotaHarness, QuotaUnderTest } from './quota/harness.ts'
export { quotaContract } from './quota/quota.ts'
export type { SenderUnderTest } from './notifications/sender-harness.ts'
export type {
  MailSenderHarness,
  MailSenderUnderTest,
  MailServerBehaviour,
} from './notifications/mails/mail-sender.ts'
export { mailSenderContract } from './notifications/mails/mail-sender.ts'
export type {
  ReceiverBehaviour,
  WebhookSenderHarness,
  WebhookSenderUnderTest,
} from './notifications/webhooks/webhook-sender.ts'
export { webhookSenderContract } from './notifications/webhooks/webhook-sender.ts'
export type { FileCipherHarness, FileCipherUnderTest } from './files/file-cipher.ts'
export { fileCipherContract } from './files/file-cipher.ts'
export type { FileStoreCapability, FileStoreHarness, FileStoreUnderTest } from './files/file-store.ts'
export { fileStoreContract } from './files/file-store.ts'
export type { RandomHarness, RandomUnderTest } from './shared/random.ts'
export { randomContract } from './shared/random.ts'
export type {
  StorageDriverCapability,
  StorageDriverCase,
  StorageDriverHarness,
  StorageDriverUnderTest,
} from './storage/driver/harness.ts'
export { storageDriverContract } from './storage/driver/driver.ts'

// Assertions
export { expectErr, expectOk } from './contract/expect.ts'
export { linkRecordOf, noteBehind, recordWithNote } from './stores/rows.ts'

// Fakes
export type { Failures } from './shared/failing.ts'
export { failing } from './shared/failing.ts'
export type { FakeCipher, FakeCipherOptions } from './cipher/fake-cipher.ts'
export { createFakeCipher } from './cipher/fake-cipher.ts'
export { createFakeFileCipher } from './files/fake-file-cipher.ts'
export type { FakeKeyFile, FakeKeyRing } from './cipher/fake-key-ring.ts'
export { createFakeKeyRing } from './cipher/fake-key-ring.ts'
export { createFakePasskey, createFakePasskeyVerifier } from './passkeys/fake-passkeys.ts'
export type { FakePasswordHasher, FakePasswordHasherOptions } from './passwords/fake-password-hasher.ts'
export { createFakePasswordHasher } from './passwords/fake-password-hasher.ts'
export type { ManualClock } from './shared/manual-clock.ts'
export { createManualClock } from './shared/manual-clock.ts'
export type { MemoryContent, MemoryData } from './stores/memory-data.ts'
export type { MemoryFiles } from './files/memory-files.ts'
export { createMemoryFiles } from './files/memory-files.ts'
export type {
  MemoryIdentityProvider,
  MemoryIdentityProviderOptions,
  MemoryPerson,
  MemoryTelling,
} from './single-sign-on/memory-identity-provider.ts'
export { createMemoryIdentityProvider } from './single-sign-on/memory-identity-provider.ts'
export type { MemoryQuota } from './quota/memory-quota.ts'
export { createMemoryQuota } from './quota/memory-quota.ts'
export type { MemoryPorts, MemoryPortsOptions } from './memory-ports.ts'
export { createMemoryPorts } from './memory-ports.ts'
export type { MemorySenderOptions, SendAnswer } from './notifications/memory-sender.ts'
export type { MemoryMailSender } from './notifications/mails/memory-mail-sender.ts'
export { createMemoryMailSender } from './notifications/mails/memory-mail-sender.ts'
export type { MemoryWebhookSender } from './notifications/webhooks/memory-webhook-sender.ts'
export { createMemoryWebhookSender } from './notifications/webhooks/memory-webhook-sender.ts'
export type { MemoryStorage, MemoryStorageOptions } from './storage/memory-storage.ts'
export { createMemoryStorage } from './storage/memory-storage.ts'
export { createSeededRandom } from './shared/seeded-random.ts'
export type { PasskeyAlgorithm, SoftPasskeyParts } from './passkeys/soft-passkey.ts'
export { createSoftPasskey } from './passkeys/soft-passkey.ts'
export type { PasskeyCeremony, TestPasskey } from './passkeys/test-passkeys.ts'

// Samples
export type { Samples, SecretDelivery } from './shared/samples.ts'
export { createSamples, noonMicros } from './shared/samples.ts'
