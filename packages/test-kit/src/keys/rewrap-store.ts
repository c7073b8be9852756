import { contractOf } from '../contract/contract.ts'
import type { StorageCase } from '../stores/harness.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import { rewrapSecretCases } from './rewrap-secrets.ts'
import { rewrapTextCases } from './rewrap-texts.ts'

/** The contract of the rewrap store. */
export const rewrapStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('rewrap-store', 'rewraps', allBut('rewraps', 'idempotencyKeys', 'corruption')),
  ...rewrapTextCases,
  ...rewrapSecretCases,
])
