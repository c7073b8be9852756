import type { FormFields } from '@sotto/http-fastify/plugin'
import type { Answer } from './answers.ts'
import type { OwnerVisit, SessionVisit, Visit } from './visit.ts'

/** Answers a visit that is not admitted. `fields` are those of a form that was sent, `hasFiles` whether files came with it. */
export type Refusal = (fields: FormFields | undefined, hasFiles?: boolean) => Answer

/** Decides who may see the owner's pages. */
export interface Admission {
  owner(visit: Visit): Promise<OwnerVisit | Refusal>
  /** Admits those who signed in here. Absent where the host application signs its users in. */
  readonly session?: (visit: Visit) => Promise<SessionVisit | Refusal>
}
