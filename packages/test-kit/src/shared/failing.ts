import { errAsync, type ResultAsync } from 'neverthrow'

/** Any method that returns a ResultAsync. `never` allows any parameters. */
type Answering = (...given: never[]) => ResultAsync<unknown, unknown>

/** Errors, by the names of the methods that answer them. */
export type Failures<Port> = {
  readonly [Method in keyof Port as Port[Method] extends Answering ? Method : never]?: Port[Method] extends (
    ...given: never[]
  ) => ResultAsync<unknown, infer Failure>
    ? Failure
    : never
}

/**
 * The port, except that the named methods do nothing and answer an Err.
 *
 * @param failures for example `{ insert: { code: 'storage_unavailable', reason: 'busy' } }`
 * @param times how many calls of each named method fail, from the first one on; all by default
 */
export function failing<Port extends object>(
  port: Port,
  failures: Failures<Port>,
  { times = Number.POSITIVE_INFINITY }: { readonly times?: number } = {},
): Port {
  const broken = Object.entries(failures).map(([method, error]) => {
    let left = times
    const call = (...given: unknown[]): unknown => {
      if (left > 0) {
        left -= 1
        return errAsync(error)
      }
      return (port as Record<string, (...given: unknown[]) => unknown>)[method]?.(...given)
    }
    return [method, call] as const
  })
  return { ...port, ...Object.fromEntries(broken) }
}
