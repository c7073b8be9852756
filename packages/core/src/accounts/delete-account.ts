import { err, ok } from 'neverthrow'
import { eraseAll } from '../shared/erase-all.ts'
import { foundOr } from '../shared/found-or.ts'
import { account } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import { accountNotFound } from './errors.ts'

/**
 * Disables an account: its access tokens are refused from now on. Its links stay: they belong to their recipients.
 * @errors `account_not_found`
 */
export const disableAccount = useCase({
  needs: ['accounts.disable', 'clock.nowMicros'],
  takes: account,
  run: async ({ accounts, clock }, { accountId }) =>
    accounts.disable(accountId, clock.nowMicros()).andThen(foundOr(accountNotFound)),
})

/**
 * Erases an account with everything that belongs to it: folders, drafts, secrets with their notes and links, access tokens, sessions,
 * webhooks with the messages that wait. From the first step on the account is deleted: nobody can sign in and no access token is accepted.
 * The rest is erased in batches; when a crash or an error ends this early, the next sweep continues, so such an error is not reported.
 * @errors `account_not_found`; a storage error when nothing was deleted
 */
export const deleteAccount = useCase({
  needs: ['accounts.beginErasure', 'accounts.eraseBegun'],
  takes: account,
  async run({ accounts }, { accountId }) {
    const begun = await accounts.beginErasure(accountId)
    if (begun.isErr()) return begun
    if (!begun.value) return err(accountNotFound)
    const erased = await eraseAll((limit) => accounts.eraseBegun(limit))
    erased.unwrapOr(0)
    return ok()
  },
})

/**
 * Releases a held account for the operator (`Account.isHeld`): its password and passkeys sign in again, whom its identities belong to need not be
 * allowed any more, and a reset is mailed to it. An account that is not held stays as it is.
 * @errors `account_not_found`
 */
export const releaseAccount = useCase({
  needs: ['accounts.release'],
  takes: account,
  run: async ({ accounts }, { accountId }) => accounts.release(accountId).andThen(foundOr(accountNotFound)),
})
