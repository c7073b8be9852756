import { createSotto, defaultPolicy, type ErrorOf, type Policy, type Sotto } from '@sotto/core'
import { bindAll, type Bound, type Options } from '@sotto/core/building-blocks'
import type { IdentityPolicy } from './sessions/sign-in-policy.ts'
import type { FullPorts } from './storage/ports.ts'
import * as useCases from './use-cases.ts'

/** The use-cases of identity, bound to ports and policy. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- editors show its name in place of all that it has
export interface IdentityUseCases extends Bound<typeof useCases> {}

/**
 * How people prove who they are: by default with passwords, and no account is made for anybody. Throws a TypeError when a method of a port
 * is missing.
 */
export function createIdentity({
  ports,
  policy = {},
  checksInputs,
}: Options<typeof useCases>): IdentityUseCases {
  return bindAll(useCases, { ...ports, policy }, checksInputs)
}

/** What {@link createFullSotto} binds the use-cases to. */
export interface FullSottoOptions {
  /** The adapters. */
  readonly ports: FullPorts
  /** The bounds that this installation sets; `defaultPolicy` by default. */
  readonly policy?: (Policy & IdentityPolicy) | undefined
  /** Whether each call checks the names and types of its input; true by default. See `SottoOptions` of `@sotto/core`. */
  readonly checksInputs?: boolean | undefined
}

/** All use-cases of the core and of identity, bound to ports and policy. */
export type FullSotto = Omit<Sotto, keyof IdentityUseCases | 'policy'> &
  IdentityUseCases & { readonly policy: Policy & IdentityPolicy }

/** Binds all use-cases of the core and of identity to the same ports and policy. Throws a TypeError as `createSotto` does. */
export function createFullSotto({
  ports,
  policy = defaultPolicy,
  checksInputs,
}: FullSottoOptions): FullSotto {
  const options = { ports, policy, checksInputs }
  return { ...createSotto(options), policy, ...createIdentity(options) }
}

/** Every error that a use-case of the core or of identity can return. */
export type FullSottoError = ErrorOf<FullSotto[keyof FullSotto]>

/** The `code` of every error that a use-case of the core or of identity can return. */
export type FullSottoErrorCode = FullSottoError['code']
