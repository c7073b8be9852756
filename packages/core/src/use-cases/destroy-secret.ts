import { err, ResultAsync, type Result } from 'neverthrow'
import type { ShareableSecret } from '../entities/secret.ts'
import type { PortMethods } from '../ports/ports.ts'
import { getSecret, type GetSecretDeps, type GetSecretError, type GetSecretInput } from './get-secret.ts'

export type DestroySecretDeps = GetSecretDeps & PortMethods<{ secrets: 'erase' }>
export type DestroySecretInput = GetSecretInput
export type DestroySecretError = GetSecretError

/**
 * Erases a shareable secret with its note: its link is dead, and it is gone from lists and counts. An open that was claimed before is
 * delivered, no later one.
 * @returns the secret as it was
 * @errors `secret_not_found`, as in `getSecret`; `data_damaged` and `key_unknown` when it cannot be read: nothing is erased then
 */
export function destroySecret(
  deps: DestroySecretDeps,
  input: DestroySecretInput,
): ResultAsync<ShareableSecret, DestroySecretError> {
  return new ResultAsync(destroy(deps, input))
}

async function destroy(
  deps: DestroySecretDeps,
  input: DestroySecretInput,
): Promise<Result<ShareableSecret, DestroySecretError>> {
  const secret = await getSecret(deps, input)
  if (secret.isErr()) return err(secret.error)
  const erased = await deps.secrets.erase(input.accountId, secret.value.id)
  if (erased.isErr()) return err(erased.error)
  return erased.value ? secret : err({ code: 'secret_not_found' })
}
