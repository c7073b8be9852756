import {
  account,
  email,
  getAccount,
  readEmail,
  tellOfNewEmail,
  tellOwnerNeeds,
  writeName,
  writeNameNeeds,
  type MailUnderWay,
} from '@sotto/core/building-blocks'
import { ok } from 'neverthrow'
import { useCase } from '../use-case.ts'

/**
 * Gives an account another email address immediately, which is also its name for signing in; it replaces an external id. For the operator:
 * an owner has to confirm a new address, see `requestEmailChange`. The old address is told by mail, where there is a mail server.
 * @errors `fields_invalid`; `account_exists` when another account has this email; `account_not_found`
 */
export const changeEmail = useCase({
  needs: [...writeNameNeeds, ...tellOwnerNeeds, 'accounts.find', 'accounts.rename', 'textCipher.decryptText'],
  takes: { ...account, ...email },
  async run(deps, { accountId, email: typed }) {
    const email = readEmail(typed)
    if (email.isErr()) return email
    const found = await getAccount(deps, { accountId })
    if (found.isErr()) return found
    const name = { email: email.value, externalId: undefined }
    const renamed = await writeName(deps, accountId, name, (encrypted, indexes) =>
      deps.accounts.rename(accountId, encrypted, indexes),
    )
    if (renamed.isErr()) return renamed
    return ok<MailUnderWay>({ mailed: tellOfNewEmail(deps, found.value, email.value) })
  },
})
