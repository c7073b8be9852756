import assert from 'node:assert/strict'
import {
  cipherContract,
  clockContract,
  quotaContract,
  randomContract,
  storageContract,
  type ContractCase,
  type Harness,
  type Unit,
} from '@sotto/test-kit'
import t from 'tap'
import { brokenAccessTokens } from './broken/access-tokens.ts'
import { brokenAccounts } from './broken/accounts.ts'
import type { Broken } from './broken/broken.ts'
import { brokenClocks, brokenRandoms } from './broken/clock-and-random.ts'
import { brokenDraftSharing } from './broken/draft-sharing.ts'
import { brokenDrafts } from './broken/drafts.ts'
import { brokenFolders } from './broken/folders.ts'
import { brokenDigests, brokenKeyRings } from './broken/key-rings.ts'
import { brokenKeys } from './broken/keys.ts'
import { brokenLinkForms } from './broken/link-forms.ts'
import { brokenLinks } from './broken/links.ts'
import { brokenPasswords } from './broken/passwords.ts'
import { brokenQuotaWindows } from './broken/quota-windows.ts'
import { brokenQuotas } from './broken/quota.ts'
import { brokenRewraps } from './broken/rewraps.ts'
import { brokenSecretLists } from './broken/secret-lists.ts'
import { brokenSecrets } from './broken/secrets.ts'
import { brokenEncryptedSecrets } from './broken/secrets-encrypted.ts'
import { brokenStorages } from './broken/storage.ts'
import { brokenTexts } from './broken/texts.ts'

notices(storageContract, [
  ...brokenStorages,
  ...brokenAccounts,
  ...brokenFolders,
  ...brokenSecrets,
  ...brokenSecretLists,
  ...brokenDrafts,
  ...brokenDraftSharing,
  ...brokenLinks,
  ...brokenLinkForms,
  ...brokenAccessTokens,
  ...brokenKeys,
  ...brokenRewraps,
])

notices(quotaContract, [...brokenQuotas, ...brokenQuotaWindows])

notices(cipherContract, [
  ...brokenTexts,
  ...brokenEncryptedSecrets,
  ...brokenPasswords,
  ...brokenKeyRings,
  ...brokenDigests,
])

notices(clockContract, brokenClocks)

notices(randomContract, brokenRandoms)

/** Each fault is noticed by the cases that it names, and each case notices some fault. */
function notices<H extends Harness<Unit, string>>(
  contract: readonly ContractCase<H>[],
  broken: readonly Broken<H>[],
): void {
  const cases = new Map(contract.map((each) => [each.id, each]))
  for (const { fault, breaks, harness, thrown = assert.AssertionError } of broken) {
    for (const id of breaks) {
      void t.test(`${id} notices one that ${fault}`, async (t) => {
        const each = cases.get(id)
        assert.ok(each, `there is no case ${id}`)
        await t.rejects(each.run(harness), thrown)
      })
    }
  }
  const noticing = new Set(broken.flatMap(({ breaks }) => breaks))
  void t.test(`each of the ${contract.length} cases notices some fault`, async (t) => {
    t.strictSame(
      contract.map(({ id }) => id).filter((id) => !noticing.has(id)),
      [],
    )
  })
}
