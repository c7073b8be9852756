import {
  cipherContract,
  clockContract,
  fileCipherContract,
  fileStoreContract,
  passkeyVerifierContract,
  identityProviderContract,
  passwordHasherContract,
  mailSenderContract,
  quotaContract,
  randomContract,
  runContract,
  storageContract,
  webhookSenderContract,
  type TestFunction,
} from '@sotto/test-kit'
import {
  clockHarness,
  fakeCipherHarness,
  fakeFileCipherHarness,
  fakePasswordHasherHarness,
  identityProviderHarness,
  mailSenderHarness,
  memoryFilesHarness,
  passkeyVerifierHarness,
  memoryQuotaHarness,
  memoryStorageHarness,
  randomHarness,
  webhookSenderHarness,
} from './harnesses.ts'

/** Runs the contracts over their fakes. There is none of a driver: the adapters run that contract. */
export function runAllContracts(test: TestFunction): void {
  runContract(test, storageContract, memoryStorageHarness())
  runContract(test, quotaContract, memoryQuotaHarness())
  runContract(test, fileStoreContract, memoryFilesHarness())
  runContract(test, fileCipherContract, fakeFileCipherHarness())
  runContract(test, cipherContract, fakeCipherHarness())
  runContract(test, passwordHasherContract, fakePasswordHasherHarness())
  runContract(test, passkeyVerifierContract, passkeyVerifierHarness())
  runContract(test, mailSenderContract, mailSenderHarness())
  runContract(test, webhookSenderContract, webhookSenderHarness())
  runContract(test, identityProviderContract, identityProviderHarness())
  runContract(test, randomContract, randomHarness())
  runContract(test, clockContract, clockHarness())
}
