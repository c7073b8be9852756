import type { StoredEmailChange } from '@sotto/identity'
import type { Encrypted } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import type { StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { oneTimeCases, type OneTimeStore } from '../stores/one-time.ts'

interface NewName {
  readonly name: Encrypted
  readonly index: Uint8Array
}

const changes: OneTimeStore<StoredEmailChange, NewName> = {
  port: 'email-change-store',
  what: 'change',
  make: (make, accountId) => make.emailChange(accountId),
  storeIn: ({ emailChanges }) => emailChanges,
  makeSpending: (make) => ({ name: make.encrypted(), index: make.nameIndex() }),
  spend: ({ emailChanges }, { name, index }, digest, nowMicros) =>
    emailChanges.spend(digest, nowMicros, name, [index]),
  changedIn: async ({ accounts }, accountId) => expectOk(await accounts.find(accountId))?.name,
  afterSpending: ({ name }) => name,
}

/** What histories do not show of the store of waiting changes of email addresses: callers at the same time. */
export const emailChangeCases: readonly StorageCase[] = [
  neededStoresCase('email-change-store', 'emailChanges', ['accounts', 'keys', 'passwords', 'invitations']),
  ...oneTimeCases(changes),
]
