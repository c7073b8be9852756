import { err, ok, type Result } from 'neverthrow'
import { isReportable, typeMessages, unknownMessage, type FieldMessages } from './field-messages.ts'

/** What is wrong with the text of a field; nothing when it is as it should be. */
export type CheckText = (text: string, name: string) => readonly string[]

/**
 * Reads fields that hold texts, each of which comes once. One that is not known is refused.
 * @returns an Err with the messages for all invalid fields; it is empty when only fields are unknown that an answer must not name
 */
export function readTexts<Name extends string>(
  known: Readonly<Partial<Record<Name, CheckText>>>,
  fields: Iterable<readonly [name: string, value: unknown]>,
): Result<Readonly<Partial<Record<Name, string>>>, FieldMessages> {
  const values = new Map<string, unknown>()
  const errors: (readonly [name: string, messages: readonly string[]])[] = []
  for (const [name, value] of fields) {
    const check = Object.hasOwn(known, name) ? known[name as Name] : undefined
    const messages =
      check === undefined
        ? [unknownMessage]
        : typeof value === 'string'
          ? check(value, name)
          : [typeMessages.string]
    if (messages.length > 0) errors.push([name, messages])
    else values.set(name, value)
  }
  if (errors.length > 0) return err(Object.fromEntries(errors.filter(([name]) => isReportable(name))))
  return ok(Object.fromEntries(values) as Partial<Record<Name, string>>)
}

/** 128 bits in lower-case hexadecimal digits. */
export const formIdPattern = '^[0-9a-f]{32}$'
const formIdShape = new RegExp(formIdPattern)

export const checkFormId: CheckText = (text) => (formIdShape.test(text) ? [] : ['is not the id of a form'])
