import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { ShareableSecret } from './secret.ts'
import type { SecretStore } from './secret-store.ts'
import { checkWithFiles, type CheckNewSecretDeps } from './check-new-secret.ts'
import {
  insertSecret,
  type InsertSecretDeps,
  type InsertSecretError,
  type InsertSecretInput,
} from './insert-secret.ts'
import type { LinkLifetime } from './new-secret.ts'
import { makeLink, showLink, type MakeLinkDeps } from './links.ts'

export type CreateSecretDeps = InsertSecretDeps &
  CheckNewSecretDeps &
  MakeLinkDeps & { readonly secrets: Pick<SecretStore, 'insert'> }

/** What a new secret is made of, and for how long its link works. */
export type CreateSecretInput = InsertSecretInput & LinkLifetime
export type CreateSecretError = InsertSecretError

/**
 * Stores a secret that is shareable immediately: its link exists and its lifetime has begun.
 * @errors `fields_invalid` with every invalid field; `hasher_busy` when too many passwords wait to be hashed
 */
export function createSecret(
  deps: CreateSecretDeps,
  input: CreateSecretInput,
): ResultAsync<ShareableSecret, CreateSecretError> {
  return new ResultAsync(create(deps, input))
}

async function create(
  deps: CreateSecretDeps,
  input: CreateSecretInput,
): Promise<Result<ShareableSecret, CreateSecretError>> {
  const checked = await checkWithFiles(deps, input)
  if (checked.isErr()) return err(checked.error)
  const nowMicros = deps.clock.nowMicros()
  const link = makeLink(deps, nowMicros, input.lifetimeSeconds)
  const inserted = await insertSecret<never>(deps, input, {
    nowMicros,
    link,
    insert: (...row) => deps.secrets.insert(...row),
  })
  if (inserted.isErr()) return err(inserted.error)
  const { link: shown, expiresAtMicros } = showLink(link)
  return ok({ ...inserted.value, link: shown, expiresAtMicros })
}
