import { contractOf } from '../../contract.ts'
import { accessTokenStoreContract } from './access-token-store.ts'
import { accountStoreContract } from './account-store.ts'
import { corruptionStoreContract } from './corruption-store.ts'
import { draftStoreContract } from './draft-store.ts'
import { besideCases, factoryCases } from './factory.ts'
import { emailChangeStoreContract } from './email-change-store.ts'
import { folderStoreContract } from './folder-store.ts'
import type { StorageCase } from './harness.ts'
import { idempotencyStoreContract } from './idempotency-store.ts'
import { keyStoreContract } from './key-store.ts'
import { serverStoreContract } from './server-store.ts'
import { linkStoreContract } from './link-store.ts'
import { outboxStoreContract } from './outbox-store.ts'
import { deliveryStoreContract } from './delivery-store.ts'
import { webhookStoreContract } from './webhook-store.ts'
import { identityStoreContract } from './identity-store.ts'
import { passkeyStoreContract } from './passkey-store.ts'
import { passwordStoreContract } from './password-store.ts'
import { requestStoreContract } from './request-store.ts'
import { rewrapStoreContract } from './rewrap-store.ts'
import { secretFileStoreContract } from './secret-file-store.ts'
import { secretStoreContract } from './secret-store.ts'
import { sessionStoreContract } from './session-store.ts'
import { signInStoreContract } from './sign-in-store.ts'
import { usedTokenStoreContract } from './used-token-store.ts'
import { upkeepContract } from './upkeep.ts'
import { invitationStoreContract } from './invitation-store.ts'

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
