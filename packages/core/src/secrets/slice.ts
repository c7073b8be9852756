import { defaultPolicy } from '../policy.ts'
import { bindAll, type Bound, type Options } from '../shared/use-case.ts'
import * as useCases from './use-cases.ts'

/** What {@link createSecrets} binds its use-cases to. */
export type SecretsOptions = Options<typeof useCases>

/**
 * Secrets and their links: to create, get, list and unlock a secret, to preview and open a link. Accounts and folders are yours: any UUIDs
 * for which `folders.owns` is true. Throws a TypeError when a method of a port is missing, or the policy is not valid.
 */
export function createSecrets({
  ports,
  policy = defaultPolicy,
  checksInputs,
}: SecretsOptions): Bound<typeof useCases> {
  return bindAll(useCases, { ...ports, policy }, checksInputs)
}
