import { err, ok } from 'neverthrow'
import type { DecryptError, StorageError } from '../shared/errors.ts'
import { creationOf, pagesOf } from '../shared/pages.ts'
import { account, email, pages } from '../shared/shapes.ts'
import { listCase, useCase } from '../shared/use-case.ts'
import { findAccountByName, findByNameNeeds, showAccount } from './accounts.ts'
import { normalizeEmail } from './email.ts'
import { accountNotFound, type AccountNotFound } from './errors.ts'

/**
 * The account with this email, whatever its case; disabled ones too.
 * @errors `account_not_found`
 */
export const findAccount = useCase({
  needs: [...findByNameNeeds, 'keyRing.refresh'],
  takes: email,
  async run(deps, { email }) {
    // An account under a key that this process has not read yet would not be found by its name.
    deps.keyRing.refresh()
    const found = await findAccountByName(deps, { email: normalizeEmail(email), externalId: undefined })
    if (found.isErr()) return found
    return found.value === undefined ? err(accountNotFound) : ok(found.value)
  },
})

/**
 * The account with this id; disabled ones too.
 * @errors `account_not_found`
 */
export const getAccount = useCase({
  needs: ['accounts.find', 'textCipher.decryptText'],
  takes: account,
  async run({ accounts, textCipher }, { accountId }) {
    const found = await accounts.find(accountId)
    if (found.isErr()) return found
    return found.value === undefined ? err(accountNotFound) : showAccount(textCipher, found.value)
  },
})

/** Every account, disabled ones included, by creation and id. */
export const listAccounts = listCase({
  needs: ['accounts.page', 'textCipher.decryptText'],
  mayTake: pages,
  run: ({ accounts, textCipher }, { after: first, pageSize }) =>
    pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => accounts.page(after, limit),
      cursorOf: creationOf,
      show: (stored) => showAccount(textCipher, stored),
    }),
})

/** How an account cannot be found. */
export type GetAccountError = AccountNotFound | DecryptError | StorageError
