import { clockContract, runContract } from '@sotto/test-kit'
import { test } from 'tap'
import { runAllContracts } from './all-contracts.ts'
import { clockHarness } from './harnesses.ts'

runAllContracts(test)

// The fake clock does not show the wall clock; this one does.
runContract(
  test,
  clockContract,
  clockHarness(() => ({ nowMicros: () => Date.now() * 1_000 }), ['wall']),
)
