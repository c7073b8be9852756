import type { Authenticators } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import type { Work } from '../engine/engine.ts'

/** Reads what an account's owner can sign in with, inside work. */
export type ReadAuthenticators = (accountId: Uuid) => Work<Authenticators>
