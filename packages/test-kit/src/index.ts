/** Fakes of the core's ports in memory, and the contract of every port as data for those who write adapters. */

// Contracts
export type { ContractCase, Harness, Unit } from './contract.ts'
export { skipReason } from './contract.ts'
export type { TestFunction } from './run-contract.ts'
export { runContract } from './run-contract.ts'

// Contracts of a storage
export type {
  StorageCapability,
  StorageCase,
  StorageHarness,
  StorageUnderTest,
} from './contracts/storage/harness.ts'
export { accessTokenStoreContract } from './contracts/storage/access-token-store.ts'
export { accountStoreContract } from './contracts/storage/account-store.ts'
export { corruptionStoreContract } from './contracts/storage/corruption-store.ts'
export { deliveryStoreContract } from './contracts/storage/delivery-store.ts'
export { idempotencyStoreContract } from './contracts/storage/idempotency-store.ts'
export { draftStoreContract } from './contracts/storage/draft-store.ts'
export { emailChangeStoreContract } from './contracts/storage/email-change-store.ts'
export { folderStoreContract } from './contracts/storage/folder-store.ts'
export { keyStoreContract } from './contracts/storage/key-store.ts'
export { serverStoreContract } from './contracts/storage/server-store.ts'
export { linkStoreContract } from './contracts/storage/link-store.ts'
export { requestStoreContract } from './contracts/storage/request-store.ts'
export { outboxStoreContract } from './contracts/storage/outbox-store.ts'
export { identityStoreContract } from './contracts/storage/identity-store.ts'
export { passkeyStoreContract } from './contracts/storage/passkey-store.ts'
export { passwordStoreContract } from './contracts/storage/password-store.ts'
export { rewrapStoreContract } from './contracts/storage/rewrap-store.ts'
export { secretFileStoreContract } from './contracts/storage/secret-file-store.ts'
export { secretStoreContract } from './contracts/storage/secret-store.ts'
export { sessionStoreContract } from './contracts/storage/session-store.ts'
export { signInStoreContract } from './contracts/storage/sign-in-store.ts'
export { storageContract } from './contracts/storage/storage.ts'
export type { StoresUnderTest } from './contracts/storage/beside-memory.ts'
export { besideMemory } from './contracts/storage/beside-memory.ts'
export { usedTokenStoreContract } from './contracts/storage/used-token-store.ts'
export { upkeepContract } from './contracts/storage/upkeep.ts'
export { webhookStoreContract } from './contracts/storage/webhook-store.ts'
export { invitationStoreContract } from './contracts/storage/invitation-store.ts'

// Contracts of the other ports
export type {
  CipherCapability,
  CipherCase,
  CipherHarness,
  CipherUnderTest,
} from './contracts/cipher/harness.ts'
export { cipherContract } from './contracts/cipher/cipher.ts'
export type {
  IdentityProviderHarness,
  IdentityProviderUnderTest,
  ProvenPerson,
} from './contracts/identity-provider.ts'
export { identityProviderContract } from './contracts/identity-provider.ts'
export type { ClockCapability, ClockHarness, ClockUnderTest } from './contracts/clock.ts'
export { clockContract } from './contracts/clock.ts'
export type { PasskeyVerifierHarness, PasskeyVerifierUnderTest } from './contracts/passkey-verifier.ts'
export { passkeyVerifierContract } from './contracts/passkey-verifier.ts'
export type {
  PasswordHasherCapability,
  PasswordHasherHarness,
  PasswordHasherUnderTest,
} from './contracts/password-hasher.ts'
export { passwordHasherContract } from './contracts/password-hasher.ts'
export type { QuotaCapability, QuotaCase, QuotaHarness, QuotaUnderTest } from './contracts/quota/harness.ts'
export { quotaContract } from './contracts/quota/quota.ts'
export type { SenderUnderTest } from './contracts/sender/harness.ts'
export type {
  MailSenderHarness,
  MailSenderUnderTest,
  MailServerBehaviour,
} from './contracts/sender/mail-sender.ts'
export { mailSenderContract } from './contracts/sender/mail-sender.ts'
export type {
  ReceiverBehaviour,
  WebhookSenderHarness,
  WebhookSenderUnderTest,
} from './contracts/sender/webhook-sender.ts'
export { webhookSenderContract } from './contracts/sender/webhook-sender.ts'
export type { FileCipherHarness, FileCipherUnderTest } from './contracts/files/file-cipher.ts'
export { fileCipherContract } from './contracts/files/file-cipher.ts'
export type {
  FileStoreCapability,
  FileStoreHarness,
  FileStoreUnderTest,
} from './contracts/files/file-store.ts'
export { fileStoreContract } from './contracts/files/file-store.ts'
export type { RandomHarness, RandomUnderTest } from './contracts/random.ts'
export { randomContract } from './contracts/random.ts'
export type {
  StorageDriverCapability,
  StorageDriverCase,
  StorageDriverHarness,
  StorageDriverUnderTest,
} from './contracts/driver/harness.ts'
export { storageDriverContract } from './contracts/driver/driver.ts'

// Assertions
export { expectErr, expectOk } from './expect.ts'
export { linkRecordOf, noteBehind, recordWithNote } from './contracts/storage/rows.ts'

// Fakes
export type { Failures } from './fakes/failing.ts'
export { failing } from './fakes/failing.ts'
export type { FakeCipher, FakeCipherOptions } from './fakes/fake-cipher.ts'
export { createFakeCipher } from './fakes/fake-cipher.ts'
export { createFakeFileCipher } from './fakes/fake-file-cipher.ts'
export type { FakeKeyFile, FakeKeyRing } from './fakes/fake-key-ring.ts'
export { createFakeKeyRing } from './fakes/fake-key-ring.ts'
export { createFakePasskey, createFakePasskeyVerifier } from './fakes/fake-passkeys.ts'
export type { FakePasswordHasher, FakePasswordHasherOptions } from './fakes/fake-password-hasher.ts'
export { createFakePasswordHasher } from './fakes/fake-password-hasher.ts'
export type { ManualClock } from './fakes/manual-clock.ts'
export { createManualClock } from './fakes/manual-clock.ts'
export type { MemoryData } from './fakes/memory-data.ts'
export type { MemoryContent, MemoryFiles } from './fakes/memory-files.ts'
export { createMemoryFiles } from './fakes/memory-files.ts'
export type {
  MemoryIdentityProvider,
  MemoryIdentityProviderOptions,
  MemoryPerson,
  MemoryTelling,
} from './fakes/memory-identity-provider.ts'
export { createMemoryIdentityProvider } from './fakes/memory-identity-provider.ts'
export type { MemoryQuota } from './fakes/memory-quota.ts'
export { createMemoryQuota } from './fakes/memory-quota.ts'
export type { MemoryPorts, MemoryPortsOptions } from './fakes/memory-ports.ts'
export { createMemoryPorts } from './fakes/memory-ports.ts'
export type {
  MemoryMailSender,
  MemorySenderOptions,
  MemoryWebhookSender,
  SendAnswer,
} from './fakes/memory-senders.ts'
export { createMemoryMailSender, createMemoryWebhookSender } from './fakes/memory-senders.ts'
export type { MemoryStorage, MemoryStorageOptions } from './fakes/memory-storage.ts'
export { createMemoryStorage } from './fakes/memory-storage.ts'
export { createSeededRandom } from './fakes/seeded-random.ts'
export type { PasskeyAlgorithm, SoftPasskeyParts } from './fakes/soft-passkey.ts'
export { createSoftPasskey } from './fakes/soft-passkey.ts'
export type { PasskeyCeremony, TestPasskey } from './fakes/test-passkeys.ts'

// Samples
export type { Samples, SecretDelivery } from './samples.ts'
export { createSamples, noonMicros } from './samples.ts'
