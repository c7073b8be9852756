import type { Scenario } from '../measure/scenarios.ts'

/** The services that are compared. */
export type ServiceName = 'sotto' | 'enclosed' | 'privatebin'

/** Requests of one kind, and what their answers must be. */
export type Requests = Required<Pick<Scenario, 'requests' | 'expect' | 'contains'>>

/** A service that runs and has notes to open. */
export interface Service {
  readonly name: ServiceName
  readonly port: number
  /** The id of its process; undefined when the bench has not started it. */
  readonly pid?: number
  readonly create: Requests
  readonly open: Requests
}

/** How many notes of a service are opened in turn; as many as Sotto's store has links. */
export const notesToOpen = 500
