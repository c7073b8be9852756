import type {
  Uuid,
  AccountNotFound,
  DecryptError,
  KeyRetired,
  StorageError,
  TextCipher,
  Clock,
  Random,
} from '@sotto/core'
import { type KeyRing, underActiveKey, newId } from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { identitiesMax, showIdentity, type Identity } from '../authenticators/identity.ts'
import type {
  IdentityLimitReached,
  IdentityProviderUnreachable,
  IdentityTaken,
  SsoRefused,
} from './errors.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { IdentityStore } from './identity-store.ts'
import {
  encryptIdentity,
  findIdentity,
  identityIndexes,
  proveIdentity,
  type FindIdentityDeps,
  type SsoCallback,
} from './identities.ts'

export type ConnectIdentityDeps = FindIdentityDeps & {
  readonly identityProvider?: Pick<IdentityProvider, 'finish'> | undefined
  readonly identities: Pick<IdentityStore, 'insert'>
  readonly textCipher: Pick<TextCipher, 'encryptText' | 'decryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly clock: Clock
  readonly random: Random
}
export interface ConnectIdentityInput extends SsoCallback {
  /** The account whose owner is signed in in the browser that came back. */
  readonly accountId: Uuid
}
export type ConnectIdentityError =
  | IdentityProviderUnreachable
  | SsoRefused
  | IdentityTaken
  | IdentityLimitReached
  | AccountNotFound
  | DecryptError
  | KeyRetired
  | StorageError

/**
 * Connects the identity of whoever comes back from the identity provider with an account, so that its owner can sign in with it. One that the
 * account has already stays as it is. The caller makes sure that the owner proved who they are before the browser went to the provider; see
 * `ensureReauthentication`.
 * @errors `identity_taken` when another account has it; `identity_limit_reached` when the account has `identitiesMax` of them; `sso_refused`
 * when what came back proves nothing; `identity_provider_unreachable`; `account_not_found`
 */
export function connectIdentity(
  deps: ConnectIdentityDeps,
  input: ConnectIdentityInput,
): ResultAsync<Identity, ConnectIdentityError> {
  return new ResultAsync(connect(deps, input))
}

async function connect(
  deps: ConnectIdentityDeps,
  { accountId, ...callback }: ConnectIdentityInput,
): Promise<Result<Identity, ConnectIdentityError>> {
  const { identities, textCipher, keyRing, digests, clock, random } = deps
  const proven = await proveIdentity(deps, callback)
  if (proven.isErr()) return err(proven.error)
  const found = await findIdentity(deps, proven.value)
  if (found.isErr()) return err(found.error)
  if (found.value?.accountId === accountId) return showIdentity(textCipher, found.value)
  const createdAtMicros = clock.nowMicros()
  const columns = {
    id: newId(random, createdAtMicros),
    accountId,
    origin: 'connected',
    createdAtMicros,
  } as const
  const inserted = await underActiveKey(keyRing, () =>
    identities.insert(
      encryptIdentity(deps, proven.value, columns),
      identityIndexes(digests, proven.value),
      identitiesMax,
    ),
  )
  if (inserted.isErr()) return err(inserted.error)
  const { accountId: _, ...shown } = columns
  const { issuer } = proven.value
  return ok({ ...shown, issuer, lastUsedAtMicros: undefined, refusedAtMicros: undefined })
}
