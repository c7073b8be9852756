import { expectErr } from '@sotto/test-kit'
import type { Result } from 'neverthrow'
import type { FieldsInvalid } from '../src/shared/errors.ts'

type Refused = Result<unknown, FieldsInvalid>
type Answer = PromiseLike<Refused> | AsyncGenerator<Refused, Refused>

/** The first error of the fields of an input that is none. */
export async function refusal(useCase: unknown, input: unknown): Promise<unknown> {
  const answer = (useCase as (input: unknown) => Answer)(input)
  const refused = 'next' in answer ? (await answer.next()).value : await answer
  return expectErr(refused, 'fields_invalid').errors[0]
}
