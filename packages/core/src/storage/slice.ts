import { bindAll, type Bound, type Options } from '../shared/use-case.ts'
import * as useCases from './use-cases.ts'

/**
 * What keeps an installation in order: erasing what has expired, keys and their rotation, corruption, and the export of an account. Throws
 * a TypeError when a method of a port is missing.
 */
export function createUpkeep({ ports, checksInputs }: Options<typeof useCases>): Bound<typeof useCases> {
  return bindAll(useCases, ports, checksInputs)
}
