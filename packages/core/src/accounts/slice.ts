import { defaultPolicy } from '../policy.ts'
import { bindAll, type Bound, type Options } from '../shared/use-case.ts'
import * as useCases from './use-cases.ts'

/** Accounts, and the quota of each caller. Throws a TypeError when a method of a port is missing, or the policy is not valid. */
export function createAccounts({
  ports,
  policy = defaultPolicy,
  checksInputs,
}: Options<typeof useCases>): Bound<typeof useCases> {
  return bindAll(useCases, { ...ports, policy }, checksInputs)
}
