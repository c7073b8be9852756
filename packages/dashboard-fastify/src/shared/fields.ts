import type { FieldError } from '@sotto/core'
import { filledText } from '@sotto/html'
import type { LocalizedDashboard } from './localized.ts'

/** What is wrong with the fields of a form, by the name of the field. */
export type FieldProblems<Name extends string = string> = Readonly<Partial<Record<Name, string>>>

/** What a field shows of its problem: the first field that has one also has the focus. */
export function faults<Name extends string>(
  problems: FieldProblems<Name>,
  order: readonly Name[],
): (name: Name) => { readonly error: string | undefined; readonly hasFocus: boolean } {
  const first = order.find((name) => problems[name] !== undefined)
  return (name) => ({ error: problems[name], hasFocus: name === first })
}

/** The core's errors of fields in the reader's language, by the form's names. */
export function fieldProblems<Name extends string>(
  { texts, counted }: LocalizedDashboard,
  errors: readonly FieldError[],
  nameOf: Readonly<Record<string, Name>>,
): FieldProblems<Name> {
  const { fieldErrors } = texts.common
  const { fieldErrors: addressErrors } = texts.webhooks
  const textOf = ({ rule, field, limit = 0, word = '' }: FieldError): string => {
    switch (rule) {
      case 'too_long':
      case 'too_short': {
        if (field === 'files') return texts.files.longName
        const wordings =
          rule === 'too_long' && inBytes.has(field) ? fieldErrors.too_long_bytes : fieldErrors[rule]
        const { wording, number } = counted(wordings, limit)
        return filledText(wording, { limit: number })
      }
      case 'out_of_range':
      case 'too_many':
        return filledText(fieldErrors[rule], { limit: String(limit) })
      case 'contains_email':
        return filledText(fieldErrors.contains_email, { word })
      case 'unknown_scope':
      case 'unknown_language':
      case 'wrong_type':
      case 'unknown_name':
      case 'not_a_key':
        return fieldErrors.unknown_choice
      case 'not_a_url':
      case 'not_https':
      case 'address_not_allowed':
        return addressErrors[rule]
      default:
        return fieldErrors[rule]
    }
  }
  const problems: Partial<Record<Name, string>> = {}
  for (const error of errors) {
    const name = nameOf[error.field]
    if (name !== undefined) problems[name] ??= textOf(error)
  }
  return problems
}

const inBytes = new Set(['note', 'password'])
