import { aString } from '../shared/inputs.ts'
import { comparedTextError, invalid } from '../shared/fields.ts'
import { email } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import {
  ensureNamedAccount,
  ensureNamedAccountNeeds,
  insertAccount,
  insertAccountNeeds,
  readEmail,
} from './accounts.ts'

/**
 * Adds an account whose name is an email address.
 * @errors `account_exists` when an account has this email already, whatever its case; `fields_invalid`
 */
export const createAccount = useCase({
  needs: insertAccountNeeds,
  takes: email,
  async run(deps, { email: typed }) {
    const email = readEmail(typed)
    return email.isErr() ? email : insertAccount(deps, { email: email.value, externalId: undefined })
  },
})

/**
 * The account of an embedding application's user, created when there is none yet. Several simultaneous calls for one user all get the same
 * account.
 * @errors `fields_invalid`
 */
export const ensureAccount = useCase({
  needs: ensureNamedAccountNeeds,
  takes: {
    /** The id that the embedding application has for its user, compared exactly: 1 to 255 code points, no control characters. */
    externalId: aString,
  },
  async run(deps, { externalId }) {
    const broken = comparedTextError(externalId)
    if (broken !== undefined) return invalid('externalId', broken)
    return ensureNamedAccount(deps, { email: undefined, externalId })
  },
})
