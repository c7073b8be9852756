import { bindAll, type Bound, type Options } from '../shared/use-case.ts'
import * as useCases from './use-cases.ts'

/**
 * Files: contents are uploaded before the secret exists that they belong to, and read with the ticket of an opened link. None are taken
 * without `files` of the policy. Throws a TypeError when a method of a port is missing, or the policy is not valid.
 */
export function createFiles({
  ports,
  policy = {},
  checksInputs,
}: Options<typeof useCases>): Bound<typeof useCases> {
  return bindAll(useCases, { ...ports, policy }, checksInputs)
}
