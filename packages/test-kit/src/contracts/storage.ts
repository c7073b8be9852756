import { accessTokenStoreCases } from './access-token-store.ts'
import { accountStoreCases } from './account-store.ts'
import { countsCases } from './counts.ts'
import { draftSharingCases } from './draft-sharing.ts'
import { draftStoreCases } from './draft-store.ts'
import { durabilityCases } from './durability.ts'
import { folderStoreCases } from './folder-store.ts'
import { keyStoreCases } from './key-store.ts'
import { linkConcurrencyCases } from './link-concurrency.ts'
import { linkFormsCases } from './link-forms.ts'
import { linkStoreCases } from './link-store.ts'
import { linkUpdateCases } from './link-updates.ts'
import { rewrapSecretCases } from './rewrap-secrets.ts'
import { rewrapTextCases } from './rewrap-texts.ts'
import { secretListCases } from './secret-list.ts'
import { secretStoreCases } from './secret-store.ts'
import { besideCases, factoryCases } from './storage-factory.ts'
import type { StorageCase } from './storage-harness.ts'
import { contractOf } from '../contract.ts'

/** The contract of every port that a storage has to fulfil, the factory's cases first. */
export const storageContract: readonly StorageCase[] = contractOf([
  ...factoryCases,
  ...accountStoreCases,
  ...folderStoreCases,
  ...countsCases,
  ...secretStoreCases,
  ...secretListCases,
  ...draftStoreCases,
  ...draftSharingCases,
  ...linkStoreCases,
  ...linkUpdateCases,
  ...linkFormsCases,
  ...linkConcurrencyCases,
  ...accessTokenStoreCases,
  ...keyStoreCases,
  ...rewrapTextCases,
  ...rewrapSecretCases,
  ...besideCases,
  ...durabilityCases,
])
