import { contractOf } from '../contract/contract.ts'
import { draftStoreContract } from '../drafts/draft-store.ts'
import { besideCases, factoryCases } from './factory.ts'
import { folderStoreContract } from '../folders/folder-store.ts'
import type { StorageCase } from '../stores/harness.ts'
import { idempotencyStoreContract } from '../secrets/idempotency-store.ts'
import { linkStoreContract } from '../secrets/link-store.ts'
import {
  accessTokenStoreContract,
  accountStoreContract,
  corruptionStoreContract,
  deliveryStoreContract,
  emailChangeStoreContract,
  identityStoreContract,
  invitationStoreContract,
  keyStoreContract,
  outboxStoreContract,
  passkeyStoreContract,
  passwordStoreContract,
  requestStoreContract,
  rewrapStoreContract,
  serverStoreContract,
  sessionStoreContract,
  signInStoreContract,
  upkeepContract,
  usedTokenStoreContract,
  webhookStoreContract,
} from './history-contracts.ts'
import { secretFileStoreContract } from '../files/secret-file-store.ts'
import { secretStoreContract } from '../secrets/secret-store.ts'

/** The contract of a whole storage: opening and closing it, then the contract of each of its ports. */
export const storageContract: readonly StorageCase[] = [
  ...contractOf(factoryCases),
  ...accountStoreContract,
  ...folderStoreContract,
  ...secretStoreContract,
  ...draftStoreContract,
  ...idempotencyStoreContract,
  ...linkStoreContract,
  ...secretFileStoreContract,
  ...requestStoreContract,
  ...outboxStoreContract,
  ...deliveryStoreContract,
  ...webhookStoreContract,
  ...accessTokenStoreContract,
  ...passwordStoreContract,
  ...identityStoreContract,
  ...passkeyStoreContract,
  ...usedTokenStoreContract,
  ...sessionStoreContract,
  ...invitationStoreContract,
  ...emailChangeStoreContract,
  ...signInStoreContract,
  ...keyStoreContract,
  ...serverStoreContract,
  ...rewrapStoreContract,
  ...corruptionStoreContract,
  ...upkeepContract,
  ...contractOf(besideCases),
]
