import assert from 'node:assert/strict'
import {
  cipherContract,
  clockContract,
  mailSenderContract,
  passwordHasherContract,
  quotaContract,
  randomContract,
  storageContract,
  webhookSenderContract,
  type ContractCase,
  type Harness,
  type Unit,
} from '@sotto/test-kit'
import t from 'tap'
import { brokenAccessTokens } from './broken/access-tokens.ts'
import { brokenAccountChanges } from './broken/account-changes.ts'
import { brokenAccountErasures } from './broken/account-erasure.ts'
import { brokenAccounts } from './broken/accounts.ts'
import type { Broken } from './broken/broken.ts'
import { brokenClocks, brokenRandoms } from './broken/clock-and-random.ts'
import { brokenDamage } from './broken/damage.ts'
import { brokenDeliveryLists } from './broken/deliveries.ts'
import { brokenJoins } from './broken/delivery-joins.ts'
import { brokenLeases } from './broken/delivery-leases.ts'
import { brokenDeliveryOrders } from './broken/delivery-order.ts'
import { brokenSettlements } from './broken/delivery-settlements.ts'
import { brokenDigests, brokenLinkTokens, brokenOwnerDigests } from './broken/digests.ts'
import { brokenDraftReplacements } from './broken/draft-replacing.ts'
import { brokenDraftSharing } from './broken/draft-sharing.ts'
import { brokenDrafts } from './broken/drafts.ts'
import { brokenFolderChanges } from './broken/folder-changes.ts'
import { brokenFolders } from './broken/folders.ts'
import { brokenKeyRings } from './broken/key-rings.ts'
import { brokenKeys } from './broken/keys.ts'
import { brokenLinkForms } from './broken/link-forms.ts'
import { brokenLinks } from './broken/links.ts'
import { brokenMails } from './broken/mails.ts'
import { brokenDistributions, brokenOutboxes } from './broken/outbox.ts'
import { brokenGroups } from './broken/needed-stores.ts'
import { brokenOwnerPasswords } from './broken/owner-passwords.ts'
import { brokenPasswordHashers } from './broken/password-hashers.ts'
import { brokenPasswords } from './broken/passwords.ts'
import { brokenQuotaWindows } from './broken/quota-windows.ts'
import { brokenQuotaAddresses, brokenQuotas } from './broken/quota.ts'
import { brokenRewraps } from './broken/rewraps.ts'
import { brokenSecretCiphers } from './broken/secret-cipher.ts'
import { brokenSecretActivity } from './broken/secret-activity.ts'
import { brokenSecretPages } from './broken/secret-pages.ts'
import { brokenReports } from './broken/secret-reports.ts'
import { brokenSecrets } from './broken/secrets.ts'
import { brokenMailSenders, brokenWebhookSenders } from './broken/senders.ts'
import { brokenSessionChanges, brokenSessions } from './broken/sessions.ts'
import { brokenKnownAddresses, brokenSignIns } from './broken/sign-ins.ts'
import { brokenStorages } from './broken/storage.ts'
import { brokenTextCiphers } from './broken/text-cipher.ts'
import { brokenUpkeep } from './broken/upkeep.ts'
import { brokenIdempotency } from './broken/idempotency.ts'
import { brokenWebhookChanges, brokenWebhooks } from './broken/webhooks.ts'
import { brokenWelcomeAccessTokens } from './broken/welcome-access-tokens.ts'
import { brokenWelcomeWebhooks } from './broken/welcome-webhooks.ts'
import { brokenWelcomes, brokenWelcomeSpendings } from './broken/welcomes.ts'

notices(storageContract, [
  ...brokenStorages,
  ...brokenGroups,
  ...brokenAccounts,
  ...brokenAccountChanges,
  ...brokenAccountErasures,
  ...brokenFolders,
  ...brokenFolderChanges,
  ...brokenSecrets,
  ...brokenSecretPages,
  ...brokenSecretActivity,
  ...brokenDrafts,
  ...brokenDraftSharing,
  ...brokenDraftReplacements,
  ...brokenIdempotency,
  ...brokenLinks,
  ...brokenLinkForms,
  ...brokenOutboxes,
  ...brokenDistributions,
  ...brokenJoins,
  ...brokenLeases,
  ...brokenDeliveryOrders,
  ...brokenSettlements,
  ...brokenDeliveryLists,
  ...brokenWebhooks,
  ...brokenWebhookChanges,
  ...brokenMails,
  ...brokenReports,
  ...brokenAccessTokens,
  ...brokenOwnerPasswords,
  ...brokenSessions,
  ...brokenSessionChanges,
  ...brokenWelcomes,
  ...brokenWelcomeSpendings,
  ...brokenWelcomeAccessTokens,
  ...brokenWelcomeWebhooks,
  ...brokenSignIns,
  ...brokenKnownAddresses,
  ...brokenKeys,
  ...brokenRewraps,
  ...brokenDamage,
  ...brokenUpkeep,
])

notices(quotaContract, [...brokenQuotas, ...brokenQuotaWindows, ...brokenQuotaAddresses])

notices(cipherContract, [
  ...brokenTextCiphers,
  ...brokenSecretCiphers,
  ...brokenPasswords,
  ...brokenKeyRings,
  ...brokenDigests,
  ...brokenOwnerDigests,
  ...brokenLinkTokens,
])

notices(passwordHasherContract, brokenPasswordHashers)

notices(mailSenderContract, brokenMailSenders)

notices(webhookSenderContract, brokenWebhookSenders)

notices(clockContract, brokenClocks)

notices(randomContract, brokenRandoms)

/** Each flaw is noticed by the cases that it names, and each case notices some flaw. */
function notices<H extends Harness<Unit, string>>(
  contract: readonly ContractCase<H>[],
  broken: readonly Broken<H>[],
): void {
  const cases = new Map(contract.map((each) => [each.id, each]))
  for (const { flaw, breaks, harness } of broken) {
    for (const id of breaks) {
      void t.test(`${id} notices one that ${flaw}`, async (t) => {
        const each = cases.get(id)
        assert.ok(each, `there is no case ${id}`)
        await t.rejects(each.run(harness), { name: 'AssertionError', message: each.rule })
      })
    }
  }
  const noticing = new Set(broken.flatMap(({ breaks }) => breaks))
  void t.test(`each of the ${contract.length} cases notices some flaw`, async (t) => {
    t.strictSame(
      contract.map(({ id }) => id).filter((id) => !noticing.has(id)),
      [],
    )
  })
}
