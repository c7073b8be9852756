import { bindAll, type Bound, type Options } from '../shared/use-case.ts'
import * as useCases from './use-cases.ts'

/** Telling owners what happened: webhooks, mails, and the queue of both. Throws a TypeError when a method of a port is missing. */
export function createNotify({ ports, checksInputs }: Options<typeof useCases>): Bound<typeof useCases> {
  return bindAll(useCases, ports, checksInputs)
}
