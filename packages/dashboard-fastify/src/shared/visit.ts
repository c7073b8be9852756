import type { Session } from '@sotto/identity'
import { uuidToFind, type Uuid } from '@sotto/core'
import type { FastifyRequest } from 'fastify'
import type { LocalizedDashboard } from './localized.ts'
import type { Proof } from './reauthentication.ts'

/** A request for one of the owner's pages, as its handler sees it. */
export interface Visit {
  readonly request: FastifyRequest
  /** The texts in the language of the reader. */
  readonly localized: LocalizedDashboard
  /** Names the client's network address: for IPv6 its /64. */
  readonly address: string
  /** The client's network address as audit lines carry it; `undefined` where they must not. */
  readonly loggedAddress: string | undefined
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** The parameters of the query. One that is there twice is absent. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/** A request of somebody who is signed in. */
export interface OwnerVisit extends Visit {
  readonly accountId: Uuid
  /** `undefined` where the host application signs its users in. */
  readonly session: Session | undefined
  /** Whether the owner wanted to be told of the opens of the secret or draft that was made last. */
  readonly notifies: boolean
  /** The time of the request, in microseconds since the epoch. */
  readonly nowMicros: number
  /** How the owner can prove who they are, each for its own kind of proof. The last one takes what the others leave. */
  readonly proofs: readonly Proof[]
}

/** A request of somebody who signed in here. */
export interface SessionVisit extends OwnerVisit {
  readonly session: Session
}

/** The id in the path, in lower case. What is no id becomes the nil UUID, which nothing has. */
export function idOf({ params }: Pick<Visit, 'params'>): Uuid {
  return uuidToFind(params['id'] ?? '')
}

/** What the path names, as use-cases take it: something of the account. */
export function named(visit: OwnerVisit): { readonly accountId: Uuid; readonly id: Uuid } {
  return { accountId: visit.accountId, id: idOf(visit) }
}
