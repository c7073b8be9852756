import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { PortMethods } from '../ports/ports.ts'
import { getSecret, type GetSecretDeps, type GetSecretError, type GetSecretInput } from './get-secret.ts'
import { withActivity, type SecretOverview } from './secret-overviews.ts'

export type ViewSecretDeps = GetSecretDeps & PortMethods<{ secrets: 'activity' }>
export type ViewSecretInput = GetSecretInput
export type ViewSecretError = GetSecretError

/**
 * One shareable secret of the account with what happened to its link so far, without its note.
 * @errors `secret_not_found`, as in `getSecret`
 */
export function viewSecret(
  deps: ViewSecretDeps,
  input: ViewSecretInput,
): ResultAsync<SecretOverview, ViewSecretError> {
  return new ResultAsync(view(deps, input))
}

async function view(
  deps: ViewSecretDeps,
  input: ViewSecretInput,
): Promise<Result<SecretOverview, ViewSecretError>> {
  const secret = await getSecret(deps, input)
  if (secret.isErr()) return err(secret.error)
  const overviews = await withActivity(deps, input.accountId, [secret.value])
  if (overviews.isErr()) return err(overviews.error)
  const [overview] = overviews.value
  return overview === undefined ? err({ code: 'secret_not_found' }) : ok(overview)
}
