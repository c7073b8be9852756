import { err, ok, ResultAsync, type Result } from 'neverthrow'

/** Turns a store's «there was no such row» into the use-case's error. */
export function orNotFound<E, N>(changed: ResultAsync<boolean, E>, notFound: N): ResultAsync<void, E | N> {
  return changed.andThen((found): Result<void, N> => (found ? ok() : err(notFound)))
}
