import {
  cipherContract,
  clockContract,
  passwordHasherContract,
  quotaContract,
  randomContract,
  runContract,
  storageContract,
  storageDriverContract,
  type TestFunction,
} from '@sotto/test-kit'
import {
  clockHarness,
  fakeCipherHarness,
  fakePasswordHasherHarness,
  memoryDriverHarness,
  memoryQuotaHarness,
  memoryStorageHarness,
  randomHarness,
} from './harnesses.ts'

/** Runs every contract over the fakes. */
export function runAllContracts(test: TestFunction): void {
  runContract(test, storageContract, memoryStorageHarness())
  runContract(test, storageDriverContract, memoryDriverHarness())
  runContract(test, quotaContract, memoryQuotaHarness())
  runContract(test, cipherContract, fakeCipherHarness())
  runContract(test, passwordHasherContract, fakePasswordHasherHarness())
  runContract(test, randomContract, randomHarness())
  runContract(test, clockContract, clockHarness())
}
