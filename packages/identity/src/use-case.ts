import { declarations, type DepsOf as DepsOfAny } from '@sotto/core/building-blocks'
import type { IdentityPolicy } from './sessions/sign-in-policy.ts'
import type { FullPorts } from './storage/ports.ts'

/** What the use-cases of identity are bound to. */
export interface IdentityDeps extends FullPorts {
  readonly policy: IdentityPolicy
}

export const { useCase, listCase } = declarations<IdentityDeps>()

/** The ports with these methods only, as in the core. */
export type DepsOf<N extends string> = DepsOfAny<N, IdentityDeps>
