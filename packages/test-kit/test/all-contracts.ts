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
import * as ownHarnesses from './harnesses.ts'

/** Runs the contracts over their fakes. There is none of a driver: the adapters run that contract. */
export function runAllContracts(test: TestFunction, harnesses = ownHarnesses): void {
  runContract(test, storageContract, harnesses.memoryStorageHarness())
  runContract(test, quotaContract, harnesses.memoryQuotaHarness())
  runContract(test, fileStoreContract, harnesses.memoryFilesHarness())
  runContract(test, fileCipherContract, harnesses.fakeFileCipherHarness())
  runContract(test, cipherContract, harnesses.fakeCipherHarness())
  runContract(test, passwordHasherContract, harnesses.fakePasswordHasherHarness())
  runContract(test, passkeyVerifierContract, harnesses.passkeyVerifierHarness())
  runContract(test, mailSenderContract, harnesses.mailSenderHarness())
  runContract(test, webhookSenderContract, harnesses.webhookSenderHarness())
  runContract(test, identityProviderContract, harnesses.identityProviderHarness())
  runContract(test, randomContract, harnesses.randomHarness())
  runContract(test, clockContract, harnesses.clockHarness())
}
