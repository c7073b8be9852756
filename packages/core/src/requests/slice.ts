import { defaultPolicy } from '../policy.ts'
import { bindAll, type Bound, type Options } from '../shared/use-case.ts'
import * as useCases from './use-cases.ts'

/**
 * Requests: an owner asks for a text, and whoever has the request's link hands one in, perhaps with files, which becomes a draft. Throws a TypeError when a
 * method of a port is missing, or the policy is not valid.
 */
export function createRequests({
  ports,
  policy = defaultPolicy,
  checksInputs,
}: Options<typeof useCases>): Bound<typeof useCases> {
  return bindAll(useCases, { ...ports, policy }, checksInputs)
}
