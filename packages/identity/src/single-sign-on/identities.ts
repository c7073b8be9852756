import { uuidToFind } from '@sotto/core'
import { aString, account, accountAndId, newId, showRows, underActiveKey } from '@sotto/core/building-blocks'
import { ok } from 'neverthrow'
import { identitiesMax, showIdentity, type Identity } from '../authenticators/identity.ts'
import { isEnough, isEnoughNeeds } from '../authenticators/is-enough.ts'
import { useCase } from '../use-case.ts'
import {
  encryptIdentity,
  findIdentity,
  findIdentityNeeds,
  identityIndexes,
  proveIdentity,
  proveIdentityNeeds,
  ssoCallback,
} from './prove-identity.ts'

/** All identities of an account, by creation and id, on one page. Never their subjects. */
export const listIdentities = useCase({
  needs: ['identities.list', 'textCipher.decryptText'],
  takes: account,
  async run({ identities, textCipher }, { accountId }) {
    const all = await identities.list(accountId)
    return all.andThen((rows) => showRows(rows, (stored) => showIdentity(textCipher, stored)))
  },
})

/**
 * Connects the identity of whoever comes back from the identity provider with an account, so that its owner can sign in with it. One that the
 * account has already stays as it is. The caller makes sure that the owner proved who they are before the browser went to the provider; see
 * `ensureReauthentication`.
 * @errors `identity_taken` when another account has it; `identity_limit_reached` when the account has `identitiesMax` of them; `sso_refused`
 * when what came back proves nothing; `identity_provider_unreachable`; `account_not_found`
 */
export const connectIdentity = useCase({
  needs: [
    ...proveIdentityNeeds,
    ...findIdentityNeeds,
    'identities.insert',
    'textCipher.encryptText',
    'textCipher.decryptText',
    'keyRing.follow',
    'clock.nowMicros',
    'random.bytes',
  ],
  takes: {
    ...ssoCallback,
    /** The account whose owner is signed in in the browser that came back. */
    accountId: aString,
  },
  async run(deps, { accountId, ...callback }) {
    const { identities, textCipher, keyRing, digests, clock, random } = deps
    const proven = await proveIdentity(deps, callback)
    if (proven.isErr()) return proven
    const found = await findIdentity(deps, proven.value)
    if (found.isErr()) return found
    if (found.value?.accountId === accountId) return showIdentity(textCipher, found.value)
    const createdAtMicros = clock.nowMicros()
    const fresh = { id: newId(random, createdAtMicros), origin: 'connected', createdAtMicros } as const
    const inserted = await underActiveKey(keyRing, () =>
      identities.insert(
        encryptIdentity(deps, proven.value, { ...fresh, accountId }),
        identityIndexes(digests, proven.value),
        identitiesMax,
      ),
    )
    if (inserted.isErr()) return inserted
    const { issuer } = proven.value
    return ok<Identity>({ ...fresh, issuer, lastUsedAtMicros: undefined, refusedAtMicros: undefined })
  },
})

/**
 * Takes an identity from its account. The caller makes sure that its owner proved just now who they are; see `ensureReauthentication`.
 * @errors `identity_not_found`, the same for an unknown, malformed or another account's id; `last_way_in` when its owner could not sign in
 * any more
 */
export const disconnectIdentity = useCase({
  needs: [...isEnoughNeeds, 'identities.erase'],
  takes: {
    ...accountAndId,
    /** The session that asks. It stays even if it was begun with the identity. */
    sessionId: aString,
  },
  mayTake: {
    /** The relying party id of the page that asks: a passkey of another host does not count there. Without it no passkey counts. */
    rpId: aString,
  },
  async run(deps, { accountId, id, sessionId, rpId }) {
    return deps.identities.erase(accountId, uuidToFind(id), {
      mayErase: (left) => isEnough(deps, left, rpId),
      keepSessionId: sessionId,
    })
  },
})

/**
 * Takes an identity from its account for the operator, who may take the last authenticator: a one-time link lets the owner in again. All
 * sessions that were begun with it end.
 * @errors `identity_not_found`, as in `disconnectIdentity`
 */
export const removeIdentity = useCase({
  needs: ['identities.erase'],
  takes: accountAndId,
  run: async ({ identities }, { accountId, id }) =>
    identities.erase(accountId, uuidToFind(id), { mayErase: () => true }),
})
