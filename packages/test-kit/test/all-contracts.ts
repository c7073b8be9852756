import {
  cipherContract,
  clockContract,
  passwordHasherContract,
  mailSenderContract,
  quotaContract,
  randomContract,
  runContract,
  storageContract,
  storageDriverContract,
  webhookSenderContract,
  type TestFunction,
} from '@sotto/test-kit'
import {
  clockHarness,
  fakeCipherHarness,
  fakePasswordHasherHarness,
  mailSenderHarness,
  memoryDriverHarness,
  memoryQuotaHarness,
  memoryStorageHarness,
  randomHarness,
  webhookSenderHarness,
} from './harnesses.ts'

/** Runs every contract over the fakes. */
export function runAllContracts(test: TestFunction): void {
  runContract(test, storageContract, memoryStorageHarness())
  runContract(test, storageDriverContract, memoryDriverHarness())
  runContract(test, quotaContract, memoryQuotaHarness())
  runContract(test, cipherContract, fakeCipherHarness())
  runContract(test, passwordHasherContract, fakePasswordHasherHarness())
  runContract(test, mailSenderContract, mailSenderHarness())
  runContract(test, webhookSenderContract, webhookSenderHarness())
  runContract(test, randomContract, randomHarness())
  runContract(test, clockContract, clockHarness())
}
