import type { FieldsInvalid } from '@sotto/core'
import type { Result } from 'neverthrow'
import type { DashboardError } from '../use-cases.ts'
import type { Post } from './answer-form.ts'
import { redirect, show, type Answer } from './answers.ts'
import { audit } from './audit.ts'
import { errorAnswer, statusAnswer } from './errors.ts'
import { fieldProblems, type FieldProblems } from './fields.ts'
import { formOf, type Form } from './form.ts'
import { questionPage, type QuestionInput } from './question-page.ts'
import {
  prove,
  reauthenticationField,
  reauthenticationNeed,
  refusedReauthentication,
} from './reauthentication.ts'
import type { Handlers } from './router.ts'
import { idOf, type OwnerVisit } from './visit.ts'

/** What is answered once a form or button has done something. */
interface Outcome<V extends OwnerVisit, T> {
  /** The event of the audit line, and the name that the id has there: the one in the path, or of what was made. */
  readonly audit: readonly [event: string, idName?: string]
  /** Where the browser is sent, or the answer. */
  readonly done: string | ((value: T, visit: V) => string | Answer)
}

function succeed<V extends OwnerVisit, T>(
  { audit: [event, idName], done }: Outcome<V, T>,
  visit: V,
  value: T,
): Answer {
  const id = (): string => ('id' in visit.params ? idOf(visit) : (value as { readonly id: string }).id)
  audit(visit, event, { account_id: visit.accountId, ...(idName !== undefined && { [idName]: id() }) })
  const answer = typeof done === 'string' ? done : done(value, visit)
  return typeof answer === 'string' ? redirect(answer) : answer
}

/** A button of an owner: a form without fields. */
export interface OwnerButton<V extends OwnerVisit, T, E extends DashboardError> extends Outcome<V, T> {
  readonly run: (visit: V) => PromiseLike<Result<T, E>>
  /** The answer to an error that has no page of its own here; `undefined` for all others. */
  readonly explain?: (visit: V, error: E) => Answer | undefined
}

export function ownerButton<V extends OwnerVisit, T, E extends DashboardError>({
  run,
  explain,
  ...outcome
}: OwnerButton<V, T, E>): (visit: V) => Promise<Answer> {
  return async (visit) => {
    const ran = await run(visit)
    if (ran.isOk()) return succeed(outcome, visit, ran.value)
    return explain?.(visit, ran.error) ?? errorAnswer(visit, ran.error)
  }
}

/** A form that was refused. */
export interface Refused<Name extends string> {
  readonly form: Form<Name>
  /** What is wrong, by the name of the field; `proof` is one of them. */
  readonly problems: FieldProblems
  readonly status: number
}

/** A form of an owner: what it has, what it does, and what is answered. */
export interface OwnerForm<
  V extends OwnerVisit,
  Name extends string,
  T,
  E extends DashboardError,
> extends Outcome<V, T> {
  /** The names of its fields. */
  readonly fields: readonly Name[]
  /** Whether the owner has to be proven first, for which the form has `proof`. */
  readonly needsProof?: boolean
  readonly run: (visit: V, form: Form<Name>) => PromiseLike<Result<T, E>>
  /** The names in the form of the fields that the core checks. */
  readonly names: Readonly<Record<string, Name>>
  /** The page that has the form again. */
  readonly again: (visit: V, refused: Refused<Name>) => Promise<Answer>
  /** What else the form can say is wrong, at its fields; `undefined` for all errors that have a page of their own. */
  readonly explain?: (
    visit: V,
    error: E,
  ) => { readonly problems: FieldProblems<Name>; readonly status: number } | undefined
}

/** Answers a form: reads it, asks for a proof where it needs one, does what it says, or shows it again with what is wrong. */
export function ownerForm<V extends OwnerVisit, Name extends string, T, E extends DashboardError>({
  fields: fieldNames,
  needsProof = false,
  run,
  names,
  again,
  explain,
  ...outcome
}: OwnerForm<V, Name, T, E>): Post<V> {
  return async (visit, fields) => {
    const { localized } = visit
    const read = formOf(fields, fieldNames)
    if (read.isErr()) return statusAnswer(localized, read.error.status)
    const form = read.value
    const proven = needsProof ? await prove(visit, fields) : undefined
    if (proven !== undefined) {
      if ('kind' in proven) return proven
      return again(visit, { form, problems: { proof: proven.problem }, status: proven.status })
    }
    const ran = await run(visit, form)
    if (ran.isOk()) return succeed(outcome, visit, ran.value)
    const { error } = ran
    const wrong = isFieldsInvalid(error)
      ? { problems: fieldProblems(localized, error.errors, names), status: 400 }
      : explain?.(visit, error)
    return wrong === undefined ? errorAnswer(visit, error) : again(visit, { form, ...wrong })
  }
}

function isFieldsInvalid(error: DashboardError): error is FieldsInvalid {
  return error.code === 'fields_invalid'
}

/** What the settings ask before something that needs a fresh re-authentication. */
export type Question = Omit<QuestionInput, 'place' | 'fields'>

/** The page of a question, which asks for a proof where it is needed, and the form that answers it. */
export function provenQuestion<V extends OwnerVisit>(
  ask: (visit: V) => Promise<Result<Question, DashboardError>>,
  act: (visit: V) => Promise<Answer>,
): Required<Handlers<V>> {
  const showQuestion = async (visit: V, problem?: string, status = 200): Promise<Answer> => {
    const question = await ask(visit)
    if (question.isErr()) return errorAnswer(visit, question.error)
    const reauthentication = await reauthenticationNeed(visit)
    const fields = reauthenticationField({ reauthentication, problem, id: 'proof', hasFocus: true })
    return show(questionPage(visit.localized, { ...question.value, place: 'settings', fields }), status)
  }
  return {
    get: (visit) => showQuestion(visit),
    async post(visit, fields) {
      const again = (problem: string, status: number) => showQuestion(visit, problem, status)
      return (await refusedReauthentication(visit, fields, again)) ?? act(visit)
    },
  }
}
