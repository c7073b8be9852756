import { exists, type Engine } from './engine/engine.ts'
import { passkeysOf } from './passkeys/passkeys.ts'
import { hasPassword } from './passwords/passwords.ts'
import type { ReadAuthenticators } from './authenticators/read-authenticators.ts'
import { identitiesOf } from './single-sign-on/identity-rows.ts'

/** Makes the work that reads what an account's owner can sign in with. */
export function createReadAuthenticators({ dialect }: Pick<Engine, 'dialect'>): ReadAuthenticators {
  return function* (accountId) {
    const account = dialect.id.in(accountId)
    return {
      isHeld: yield* exists(
        'SELECT 1 FROM accounts WHERE id = $1 AND held = $2',
        account,
        dialect.flag.in(true),
      ),
      hasPassword: yield* hasPassword(account),
      identities: yield* identitiesOf(dialect, account),
      passkeys: yield* passkeysOf(dialect, account),
    }
  }
}
