import {
  offeredLifetimesSeconds,
  pageLifetimeSeconds,
  type ErrorOf,
  type FieldsInvalid,
  type NewFiles,
  type NewSecret,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { filledText } from '@sotto/html'
import { withoutCarriageReturns } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Form } from '../shared/form.ts'
import { fieldProblems, type FieldProblems } from '../shared/fields.ts'
import { formNames, opensChoices, type SecretFieldName, type TypedFieldName } from './secret-form.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { OwnerVisit } from '../shared/visit.ts'

/** What a form says about a secret, in the core's terms. */
export interface SecretInput {
  readonly folderId: string
  readonly label: string
  readonly note: string
  readonly openLimit: number | undefined
  readonly notify: boolean
  readonly password: string | undefined
  readonly lifetimeSeconds: number | undefined
}

/** The lifetime that a form offers at first: seven days, in seconds. */
export const defaultExpires = String(pageLifetimeSeconds)

/** Reads the fields of a form. The problems are those that the core cannot find: a text that is no number, and an unknown choice. */
export function secretInputOf(
  { localized, nowMicros }: Pick<OwnerVisit, 'localized' | 'nowMicros'>,
  form: Form<TypedFieldName>,
): { readonly input: SecretInput; readonly problems: FieldProblems<SecretFieldName> } {
  const { fieldErrors } = localized.texts.common
  const openLimit = openLimitOf(form)
  const lifetimeSeconds = offeredLifetimesSeconds.find((seconds) => String(seconds) === form.expires)
  const isUnknownLifetime = form.expires !== '' && lifetimeSeconds === undefined
  return {
    input: {
      folderId: form.folder,
      label: form.label.trim() === '' ? untitled(localized, nowMicros) : form.label,
      note: withoutCarriageReturns(form.note),
      openLimit,
      notify: form.notify !== '',
      password: form.password === '' ? undefined : form.password,
      lifetimeSeconds,
    },
    problems: {
      ...(Number.isNaN(openLimit) && { count: fieldErrors.not_a_number }),
      ...(isUnknownLifetime && { expires: fieldErrors.unknown_choice }),
    },
  }
}

/** The title of a secret that got none: what it is, and from when, in its owner's language. */
function untitled(localized: LocalizedDashboard, nowMicros: number): string {
  return filledText(localized.texts.secrets.newSecret.untitled, { time: localized.dateTime(nowMicros) })
}

/** `problems`, which were found already, and those that the core finds. Nothing is stored. */
export async function allProblems(
  sotto: Pick<DashboardUseCases, 'checkNewSecret'>,
  { accountId, localized }: OwnerVisit,
  secret: Partial<NewSecret> & { readonly hasFiles: boolean },
  problems: FieldProblems<SecretFieldName>,
): Promise<
  Result<FieldProblems<SecretFieldName>, Exclude<ErrorOf<DashboardUseCases['checkNewSecret']>, FieldsInvalid>>
> {
  const checked = await sotto.checkNewSecret({ accountId, ...secret })
  if (checked.isOk()) return ok(problems)
  if (checked.error.code !== 'fields_invalid') return err(checked.error)
  return ok({ ...fieldProblems(localized, checked.error.errors, formNames), ...problems })
}

/**
 * The problems of a form that is shown again, with reminders to enter the password again and to choose the files again, because no page sends
 * these back. A form that its script has sent still has both.
 */
export function withReminders(
  { localized: { texts }, query }: OwnerVisit,
  {
    form: { password },
    files,
  }: { readonly form: Pick<Form<TypedFieldName>, 'password'>; readonly files: NewFiles | undefined },
  problems: FieldProblems<SecretFieldName>,
): FieldProblems<SecretFieldName> {
  if (query['kept'] !== undefined) return problems
  const { again } = texts.files
  return {
    ...(password !== '' && { password: texts.common.fieldErrors.password_again }),
    ...problems,
    ...(files && { files: problems.files === undefined ? again : `${problems.files} ${again}` }),
  }
}

/** The open limit of a form: 1 unless something else was chosen; `undefined` without limit; NaN for a number that is none. */
function openLimitOf({ opens, count }: Form<TypedFieldName>): number | undefined {
  if (opens === opensChoices.unlimited) return undefined
  return opens === '' ? 1 : wholeNumber((opens === opensChoices.number ? count : opens).trim())
}

/** The number that is written in digits alone, else NaN: neither `1e3` nor ` 1` is one. */
function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN
}
