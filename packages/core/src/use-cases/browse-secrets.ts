import { err } from 'neverthrow'
import type { KeyUnknown, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { listSecrets, type ListSecretsDeps, type ListSecretsInput } from './list-secrets.ts'
import type { Pages } from './pages.ts'
import { withActivity, type SecretOverview } from './secret-overviews.ts'

export type BrowseSecretsDeps = ListSecretsDeps & PortMethods<{ secrets: 'activity'; clock: 'nowMicros' }>
export type BrowseSecretsInput = ListSecretsInput
export type BrowseSecretsError = KeyUnknown | StorageError

/** Like `listSecrets`, each secret with what happened to its link so far. */
export async function* browseSecrets(
  deps: BrowseSecretsDeps,
  input: BrowseSecretsInput,
): Pages<SecretOverview, BrowseSecretsError> {
  for await (const page of listSecrets(deps, input)) {
    if (page.isErr()) return yield err(page.error)
    const overviews = await withActivity(deps, input.accountId, page.value.items)
    yield overviews.map((items) => ({ ...page.value, items }))
    if (overviews.isErr()) return
  }
}
