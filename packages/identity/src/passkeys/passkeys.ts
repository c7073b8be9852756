import { uuidToFind, type DecryptError, type TextCipher } from '@sotto/core'
import { aString, account, accountAndId, showRows } from '@sotto/core/building-blocks'
import type { Result } from 'neverthrow'
import { isEnough, isEnoughNeeds } from '../authenticators/is-enough.ts'
import { useCase } from '../use-case.ts'
import type { StoredPasskey } from './passkey-store.ts'
import type { Passkey } from './passkey.ts'

/** All passkeys of an account, by creation and id, on one page. */
export const listPasskeys = useCase({
  needs: ['passkeys.list', 'textCipher.decryptText'],
  takes: account,
  async run({ passkeys, textCipher }, { accountId }) {
    const all = await passkeys.list(accountId)
    return all.andThen((rows) => showRows(rows, (stored) => showPasskey(textCipher, stored)))
  },
})

/** A stored passkey as its owner sees it. */
function showPasskey(
  cipher: Pick<TextCipher, 'decryptText'>,
  { id, accountId, name, rpId, createdAtMicros, lastUsedAtMicros }: StoredPasskey,
): Result<Passkey, DecryptError> {
  return cipher
    .decryptText({ column: 'passkey.name', accountId, rowId: id }, name)
    .map((text) => ({ id, name: text, rpId, createdAtMicros, lastUsedAtMicros }))
}

/**
 * Takes a passkey from its account. The caller makes sure that its owner proved just now who they are; see `ensureReauthentication`.
 * @errors `passkey_not_found`, the same for an unknown, malformed or another account's id; `last_way_in` when its owner could not sign in any
 * more
 */
export const deletePasskey = useCase({
  needs: [...isEnoughNeeds, 'passkeys.erase'],
  takes: {
    ...accountAndId,
    /** The session that asks. Every other session that was begun with the passkey ends. */
    sessionId: aString,
  },
  mayTake: {
    /** The id of the relying party, as in `disconnectIdentity`. */
    rpId: aString,
  },
  async run(deps, { accountId, id, sessionId, rpId }) {
    return deps.passkeys.erase(accountId, uuidToFind(id), {
      mayErase: (left) => isEnough(deps, left, rpId),
      keepSessionId: sessionId,
    })
  },
})
