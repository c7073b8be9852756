import type { Authenticators } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import type { MemoryData } from '../stores/memory-data.ts'

/** Reads the authenticators of an account's owner. */
export type ReadAuthenticators = (data: MemoryData, accountId: Uuid) => Authenticators
