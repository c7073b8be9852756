import type { Uuid, WaysIn } from '@sotto/core'
import type { Work } from '../engine/engine.ts'

/** Reads what an account's owner can sign in with, inside work. */
export type ReadWaysIn = (accountId: Uuid) => Work<WaysIn>
