import assert from 'node:assert/strict'
import {
  cipherContract,
  clockContract,
  fileCipherContract,
  fileStoreContract,
  identityProviderContract,
  mailSenderContract,
  passkeyVerifierContract,
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
import { flaws } from './broken/all.ts'
import type { Broken } from './broken/broken.ts'

notices(storageContract, flaws.storage)
notices(quotaContract, flaws.quota)
notices(fileStoreContract, flaws.fileStore)
notices(cipherContract, flaws.cipher)
notices(fileCipherContract, flaws.fileCipher)
notices(passwordHasherContract, flaws.passwordHasher)
notices(passkeyVerifierContract, flaws.passkeyVerifier)
notices(mailSenderContract, flaws.mailSender)
notices(webhookSenderContract, flaws.webhookSender)
notices(identityProviderContract, flaws.identityProvider)
notices(clockContract, flaws.clock)
notices(randomContract, flaws.random)

/** Each flaw is noticed by the cases that it names. */
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
}
