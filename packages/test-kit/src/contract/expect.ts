import { AssertionError } from 'node:assert/strict'
import type { Result } from 'neverthrow'

/**
 * The value of a result that must be Ok; await a `ResultAsync` first: `expectOk(await sotto.createFolder(…))`.
 *
 * @param what names the result in the message of the `AssertionError`
 */
export function expectOk<T, E>(result: Result<T, E>, what = 'the result'): T {
  if (result.isOk()) return result.value
  throw new AssertionError({
    message: `${what} should be Ok, but is Err ${JSON.stringify(result.error)}`,
    actual: result.error,
    operator: 'expectOk',
    stackStartFn: expectOk,
  })
}

/**
 * The error of a result that must be an Err; await a `ResultAsync` first. With `codes`, the error must have one of them.
 */
export function expectErr<T, E>(result: Result<T, E>): E
export function expectErr<T, E extends { readonly code: string }, Code extends E['code']>(
  result: Result<T, E>,
  ...codes: readonly [Code, ...Code[]]
): Extract<E, { readonly code: Code }>
export function expectErr<T, E>(result: Result<T, E>, ...codes: readonly string[]): E {
  const code = result.isErr() ? (result.error as { readonly code?: string } | undefined)?.code : undefined
  if (result.isErr() && (codes.length === 0 || codes.includes(code ?? ''))) return result.error
  throw new AssertionError({
    message: `the result should be ${['Err', codes.join(' or ')].join(' ').trim()}, but is ${spelled(result)}`,
    actual: result.isErr() ? result.error : result.value,
    expected: codes.length === 0 ? undefined : codes,
    operator: 'expectErr',
    stackStartFn: expectErr,
  })
}

function spelled<T, E>(result: Result<T, E>): string {
  return result.isErr() ? `Err ${JSON.stringify(result.error)}` : 'Ok'
}
