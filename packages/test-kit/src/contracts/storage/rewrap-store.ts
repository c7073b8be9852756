import { contractOf } from '../../contract.ts'
import type { StorageCase } from './harness.ts'
import { rewrapSecretCases } from './rewrap-secrets.ts'
import { rewrapTextCases } from './rewrap-texts.ts'

/** The contract of the rewrap store. */
export const rewrapStoreContract: readonly StorageCase[] = contractOf([
  ...rewrapTextCases,
  ...rewrapSecretCases,
])
