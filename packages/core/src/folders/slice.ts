import { defaultPolicy } from '../policy.ts'
import { bindAll, type Bound, type Options } from '../shared/use-case.ts'
import * as useCases from './use-cases.ts'

/**
 * Folders and what an owner does in them beyond `createSecrets`: drafts, secrets with what happened to their links, and secrets whose
 * request may arrive twice. Throws a TypeError when a method of a port is missing, or the policy is not valid.
 */
export function createFolders({
  ports,
  policy = defaultPolicy,
  checksInputs,
}: Options<typeof useCases>): Bound<typeof useCases> {
  return bindAll(useCases, { ...ports, policy, searching: new Set() }, checksInputs)
}
