import { err, ResultAsync, type Result } from 'neverthrow'
import { type GetSecretDeps, type GetSecretError, type GetSecretInput, getSecret } from './secrets.ts'
import type { LinkStore } from './link-store.ts'
import { lookupOf } from './links.ts'
import { unlock, type Unlocked } from './opening.ts'
import type { Digests } from '../shared/digests.ts'
import type { SecretNotFound } from './errors.ts'

export type UnlockSecretDeps = GetSecretDeps & {
  readonly links: Pick<LinkStore, 'update'>
  readonly digests: Pick<Digests, 'linkLookup'>
}
export type UnlockSecretInput = GetSecretInput
export type UnlockSecretError = GetSecretError

/**
 * Ends the lock that wrong passwords have put on the link of a shareable secret: the five within ten minutes begin anew, the hundred in all
 * count on. A link that is disabled for good stays so, and one that is not locked stays as it is, its recent wrong passwords aside.
 * @returns whether it was locked
 * @errors `secret_not_found`, as in `getSecret`
 */
export function unlockSecret(
  deps: UnlockSecretDeps,
  input: UnlockSecretInput,
): ResultAsync<Pick<Unlocked, 'wasLocked'>, UnlockSecretError> {
  return new ResultAsync(unlockLink(deps, input))
}

async function unlockLink(
  deps: UnlockSecretDeps,
  input: UnlockSecretInput,
): Promise<Result<Pick<Unlocked, 'wasLocked'>, UnlockSecretError>> {
  const { links, digests, clock } = deps
  const secret = await getSecret(deps, input)
  if (secret.isErr()) return err(secret.error)
  const lookup = lookupOf(digests, secret.value.link.token)
  const unlocked = await links.update(lookup, undefined, (record) => unlock(record, clock.nowMicros()))
  return unlocked
    .map(({ wasLocked }) => ({ wasLocked }))
    .mapErr((error): Exclude<typeof error, { code: 'link_not_found' }> | SecretNotFound =>
      error.code === 'link_not_found' ? { code: 'secret_not_found' } : error,
    )
}
