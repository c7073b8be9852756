/** A mutant that may survive. */
export interface Justified {
  readonly path: string
  /** The declaration that contains it. */
  readonly scope: string
  readonly name: string
  /** Why no test can or should notice it. */
  readonly why: string
}

/** The surviving mutants of the strict targets, each with its reason. */
export const justified: readonly Justified[] = []

export function reasonOf(mutant: Pick<Justified, 'path' | 'scope' | 'name'>): string | undefined {
  return justified.find(
    ({ path, scope, name }) => path === mutant.path && scope === mutant.scope && name === mutant.name,
  )?.why
}
