import test from 'node:test'
import {
  cipherContract,
  clockContract,
  quotaContract,
  randomContract,
  skipReason,
  storageContract,
  type ContractCase,
  type Harness,
  type Unit,
} from '@sotto/test-kit'
import {
  clockHarness,
  fakeCipherHarness,
  memoryQuotaHarness,
  memoryStorageHarness,
  randomHarness,
} from './harnesses.ts'

/** All that Node's own runner needs to run a contract. */
function check<H extends Harness<Unit, string>>(contract: readonly ContractCase<H>[], harness: H): void {
  for (const each of contract) test(each.id, { skip: skipReason(harness, each) }, () => each.run(harness))
}

check(storageContract, memoryStorageHarness())
check(quotaContract, memoryQuotaHarness())
check(cipherContract, fakeCipherHarness())
check(randomContract, randomHarness())
check(clockContract, clockHarness())
