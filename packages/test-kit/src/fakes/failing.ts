import { errAsync, type ResultAsync } from 'neverthrow'

/** Any method that answers with a ResultAsync. `never` lets methods of any parameters in. */
type Answering = (...given: never[]) => ResultAsync<unknown, unknown>

/** Errors by the names of the methods that are to answer with them. */
export type Faults<Port> = {
  readonly [Method in keyof Port as Port[Method] extends Answering ? Method : never]?: Port[Method] extends (
    ...given: never[]
  ) => ResultAsync<unknown, infer Fault>
    ? Fault
    : never
}

/**
 * The port, except that the named methods do nothing and answer Err.
 *
 * @param faults for example `{ insert: { code: 'storage_unavailable', reason: 'busy' } }`
 * @param times how many of the calls of each named method fail, from the first on; all of them unless told otherwise
 */
export function failing<Port extends object>(
  port: Port,
  faults: Faults<Port>,
  { times = Number.POSITIVE_INFINITY }: { readonly times?: number } = {},
): Port {
  const broken = Object.entries(faults).map(([method, fault]) => {
    let left = times
    const call = (...given: unknown[]): unknown => {
      if (left > 0) {
        left -= 1
        return errAsync(fault)
      }
      return (port as Record<string, (...given: unknown[]) => unknown>)[method]?.(...given)
    }
    return [method, call] as const
  })
  return { ...port, ...Object.fromEntries(broken) }
}
