import {
  lifetimesSeconds,
  parseLifetime,
  type ErrorOf,
  type FieldsInvalid,
  type Lifetime,
  type NewSecret,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Form } from './form.ts'
import { fieldProblems, type FieldProblems } from './pages/fields.ts'
import { formNames, type SecretFieldName } from './pages/secret-form.ts'
import type { LocalizedDashboard } from './texts/dashboard-texts.ts'
import type { OwnerVisit } from './visit.ts'

/** What a form says about a secret, in the core's terms. */
export interface SecretInput {
  readonly folderId: string
  readonly label: string
  readonly note: string
  readonly openLimit: number | undefined
  readonly notify: boolean
  readonly password: string | undefined
  readonly lifetimeSeconds: Lifetime | undefined
}

/** The longest lifetime, in seconds: what a form offers at first. */
export const defaultExpires = String(lifetimesSeconds.at(-1))

/** Reads the fields of a form; what is wrong with numbers and choices the core cannot say. */
export function secretInputOf(
  { texts }: LocalizedDashboard,
  form: Form<SecretFieldName>,
): { readonly input: SecretInput; readonly problems: FieldProblems<SecretFieldName> } {
  const { fieldErrors } = texts.common
  const openLimit = form.opens.trim() === '' ? undefined : wholeNumber(form.opens.trim())
  const lifetimeSeconds = form.expires === '' ? undefined : parseLifetime(Number(form.expires))
  const isUnknownLifetime = form.expires !== '' && lifetimeSeconds === undefined
  return {
    input: {
      folderId: form.folder,
      label: form.label,
      note: withoutCarriageReturns(form.note),
      openLimit,
      notify: form.notify !== '',
      password: form.password === '' ? undefined : form.password,
      lifetimeSeconds,
    },
    problems: {
      ...(Number.isNaN(openLimit) && { opens: fieldErrors.not_a_number }),
      ...(isUnknownLifetime && { expires: fieldErrors.unknown_choice }),
    },
  }
}

/** The problems of a form that were found already, with all that the core finds. Nothing is stored. */
export async function allProblems(
  sotto: Pick<DashboardUseCases, 'checkNewSecret'>,
  { accountId, localized }: OwnerVisit,
  secret: Partial<NewSecret>,
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
 * The problems of a form that is shown again, with a reminder at the field for a password that was entered. No page sends it back, and
 * without it the secret would have none.
 */
export function withPasswordAgain(
  { texts }: LocalizedDashboard,
  { password }: Form<SecretFieldName>,
  problems: FieldProblems<SecretFieldName>,
): FieldProblems<SecretFieldName> {
  return password === '' ? problems : { password: texts.common.fieldErrors.password_again, ...problems }
}

/** Browsers send each line break of a text area as CR LF (HTML, “constructing the entry list”); people mean a line feed. */
export function withoutCarriageReturns(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** NaN when it is none: digits alone, so that neither `1e3` nor ` 1` is one. */
function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN
}
