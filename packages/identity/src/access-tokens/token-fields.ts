import { bounds, type Scope, allScopes } from '@sotto/core'
import type { RuleBroken } from '@sotto/core/building-blocks'

/** The scopes named, each once and in the usual order; `undefined` when one is unknown or none is named. */
export function parseScopes(names: readonly string[]): readonly Scope[] | undefined {
  if (names.length === 0 || names.some((name) => !allScopes.includes(name as Scope))) return undefined
  return allScopes.filter((scope) => names.includes(scope))
}

/** The rule that a token's lifetime in seconds breaks. */
export function tokenLifetimeError(seconds: number): RuleBroken | undefined {
  const limit = bounds.tokenLifetimeMaxDays * 86400
  return Number.isInteger(seconds) && seconds > 0 && seconds <= limit
    ? undefined
    : { rule: 'out_of_range', limit }
}
