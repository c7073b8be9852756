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
import t from 'tap'
import {
  clockHarness,
  fakeCipherHarness,
  memoryQuotaHarness,
  memoryStorageHarness,
  randomHarness,
} from './harnesses.ts'

/** All that tap needs to run a contract. */
function check<H extends Harness<Unit, string>>(contract: readonly ContractCase<H>[], harness: H): void {
  for (const each of contract) {
    void t.test(each.id, { skip: skipReason(harness, each) }, async (t) => {
      await each.run(harness)
      t.pass(each.rule) // else tap counts no assertion
    })
  }
}

check(storageContract, memoryStorageHarness())
check(quotaContract, memoryQuotaHarness())
check(cipherContract, fakeCipherHarness())
check(randomContract, randomHarness())
check(clockContract, clockHarness())
check(
  clockContract,
  clockHarness(() => ({ nowMicros: () => Date.now() * 1_000 }), ['wall']),
)
