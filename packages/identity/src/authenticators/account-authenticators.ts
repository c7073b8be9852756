import type { Page } from '@sotto/core'
import { account, showRows } from '@sotto/core/building-blocks'
import { useCase } from '../use-case.ts'
import { showIdentity, type Identity } from './identity.ts'

/** The authenticators of an account's owner. */
export interface ShownAuthenticators {
  readonly hasPassword: boolean
  /** The identities by creation and id. */
  readonly identities: Page<Identity>
  /** How many passkeys there are, of whatever host. */
  readonly passkeys: number
  /** Whether the account is held: its owner signs in with an identity only. */
  readonly isHeld: boolean
}

/**
 * The authenticators of an account's owner: for the page of the settings, and to ask for one that there is when a re-authentication is
 * needed.
 */
export const showAuthenticators = useCase({
  needs: ['passwords.authenticators', 'textCipher.decryptText'],
  takes: account,
  async run({ passwords, textCipher }, { accountId }) {
    const found = await passwords.authenticators(accountId)
    if (found.isErr()) return found
    const { identities, passkeys, ...others } = found.value
    return showRows(identities, (each) => showIdentity(textCipher, each)).map(
      (page): ShownAuthenticators => ({ ...others, passkeys: passkeys.length, identities: page }),
    )
  },
})
