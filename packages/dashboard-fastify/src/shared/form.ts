import { err, ok, type Result } from 'neverthrow'
import type { FastifyRequest } from 'fastify'
import { problems, type Problem, parseForm, type FormFields, isPlainForm } from '@sotto/http-fastify/plugin'
import { isRemoveName } from './remove-names.ts'
import { selectedOf } from './selection.ts'

/** What somebody sent with a form of ours. Every name that the form has is there, empty when the browser left it out. */
export type Form<Name extends string> = Readonly<Record<Name, string>>

const mediaType: Problem = { status: 415, message: 'The body must be a form in UTF-8.' }
const badForm: Problem = { ...problems.badRequest, message: 'The form is not valid.' }

/** The fields of the body in their order. Duplicate names and invalid UTF-8 are refused. */
export function fieldsOf(
  request: FastifyRequest,
  body: Uint8Array,
  fieldsMax: number,
): Result<FormFields, Problem> {
  if (body.length === 0) return ok([])
  return isPlainForm(request.raw) ? parseForm(body, fieldsMax).mapErr(() => badForm) : err(mediaType)
}

/** Every field of a form of ours that is no password. */
const shownAgain = new Set(
  [
    'label title note text answers folder expires opens count notify remove-password version sealed-files show-files action content',
    'files seal key name read write email language next enabled labels shown url words after',
  ].flatMap((names) => names.split(' ')),
)

/** What a page keeps of a form that was not taken. */
export interface KeptFields {
  /** The fields that the page may contain: those that a form of ours has, without passwords. */
  readonly shown: FormFields
  /** Whether a password was entered, which has to be entered again. */
  readonly hadPassword: boolean
  /** Whether files came with it, which have to be chosen again. */
  readonly hadFiles: boolean
}

export function keptFields(fields: FormFields, hadFiles = false): KeptFields {
  const isShown = (name: string): boolean =>
    shownAgain.has(name) || isRemoveName(name) || selectedOf(name) !== undefined
  return {
    shown: fields.filter(([name]) => isShown(name)),
    hadPassword: fields.some(([name, value]) => name === 'password' && value !== ''),
    hadFiles,
  }
}

/** The fields that a form has. Any other field is refused: no page of ours sent it. */
export function formOf<Name extends string>(
  fields: FormFields,
  names: readonly Name[],
): Result<Form<Name>, Problem> {
  const isKnown = ([name]: FormFields[number]): boolean => names.some((known) => known === name)
  if (!fields.every(isKnown)) return err(badForm)
  const given = new Map(fields)
  return ok(Object.fromEntries(names.map((name) => [name, given.get(name) ?? ''])) as Form<Name>)
}
