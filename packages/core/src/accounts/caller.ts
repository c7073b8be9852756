import type { Uuid } from '../shared/uuid.ts'

/** What a caller may do: `read` lists and fetches, `write` creates. */
export type Scope = 'read' | 'write'

/** Every scope: those of a caller who may do everything. */
export const allScopes: readonly Scope[] = ['read', 'write']

/** The caller of a use-case: the outcome of a successful authentication. */
export interface Caller {
  readonly accountId: Uuid
  /** How the caller proved who it is. */
  readonly via: CallerVia
  readonly scopes: readonly Scope[]
}

/** `session`: a browser that is signed in. `host`: the embedding application authenticated the request itself. */
export type CallerVia =
  | { readonly kind: 'access_token'; readonly id: Uuid }
  | { readonly kind: 'session'; readonly id: Uuid }
  | { readonly kind: 'host' }
