import type { FullSotto } from '@sotto/identity'
import type { ResultAsync } from 'neverthrow'
import type { Book } from './book.ts'
import { accountRules } from './rules/accounts.ts'
import { requestRules } from './rules/requests.ts'
import { secretRules } from './rules/secrets.ts'
import { signInRules } from './rules/sign-in.ts'
import { upkeepRules } from './rules/upkeep.ts'

type Answering = (...input: never[]) => ResultAsync<unknown, unknown>

/** The use-cases that answer with a result. */
export type Name = {
  [N in keyof FullSotto]: FullSotto[N] extends Answering ? N : never
}[keyof FullSotto]

export type Input<N extends Name> = NonNullable<Parameters<FullSotto[N]>[0]>

export interface Answer<N extends Name> {
  /** `ok`, or that of an error. */
  readonly code: string
  readonly value:
    (FullSotto[N] extends (...input: never[]) => ResultAsync<infer T, unknown> ? T : never) | undefined
  /** That of an error which has one. */
  readonly retryAfterSeconds: number | undefined
  /** Whether a field of the input breaks a rule by itself. */
  readonly isFaulty: boolean
}

/**
 * What may be answered, stated without code of the service: the code of the only right answer, after the book was brought up to date. A rule
 * that does not decide returns the code that it was given. Throws where the value is not the right one.
 */
export type Rules = { readonly [N in Name]?: (input: Input<N>, answer: Answer<N>) => string }

/** Use-cases that look for something before they check the fields. */
const findsFirst: readonly Name[] = ['answerRequest', 'choosePassword', 'createSecretOnce']

/** The rules of all use-cases that have one. */
export function rulesOf(book: Book): Rules {
  const rules: Rules = {
    ...accountRules(book),
    ...secretRules(book),
    ...requestRules(book),
    ...signInRules(book),
    ...upkeepRules(book),
  }
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [
      name,
      (input: never, answer: never) => {
        const { isFaulty } = answer as Answer<Name>
        return isFaulty && !findsFirst.includes(name as Name) ? 'fields_invalid' : rule(input, answer)
      },
    ]),
  )
}
