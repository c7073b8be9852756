import { shownText } from '@sotto/core'
import fc, { type Arbitrary } from 'fast-check'

/** What is read of a schema of an OpenAPI document. */
export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly $ref?: string
}

/** Values that exist on the server, by the names of parameters and fields. */
export type Known = Readonly<Record<string, string>>

/** A part of a request, and whether the document allows it. */
export interface Part<T> {
  readonly value: T
  readonly isValid: boolean
}

/** The body of a request and its media type. */
export interface Body {
  readonly type?: string | undefined
  readonly text?: string | undefined
}

const bodyNames = [
  'label',
  'note',
  'folder_id',
  'open_limit',
  'notify',
  'password',
  'form_id',
  'proof',
  '__proto__',
  'expires_at',
]

export type Fields = Readonly<Record<string, unknown>>

export function validFields(
  { properties = {}, required = [] }: Schema,
  known: Known,
): Arbitrary<Part<Fields>> {
  const values = Object.entries(properties).map(([name, schema]) => [
    name,
    known[name]
      ? fc.constant(known[name])
      : valueOf(schema).filter((value) => name !== 'label' || isShown(value)),
  ])
  const record = fc.record(Object.fromEntries(values) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: [...required],
  })
  return record.map((value) => ({ value, isValid: true }))
}

/** No pattern of a schema tells what nobody would see: its description does. */
function isShown(value: unknown): boolean {
  return shownText(String(value)) === value
}

/** A value that fits a schema; a text has few enough characters for every bound of bytes. */
function valueOf({
  type,
  pattern,
  format,
  minLength = 0,
  maxLength = 300,
  minimum = 0,
  maximum = 9,
}: Schema): Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum })
  if (format === 'uuid') return fc.uuid()
  // A pattern of a whole text, such as the id of a form. Other patterns say what each character may be.
  if (pattern !== undefined && /\{\d+\}/.test(pattern)) return fc.stringMatching(new RegExp(pattern))
  const shape = new RegExp(pattern ?? '', 'u')
  const unit = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('a', ' ', '"', '\\', '<'),
    )
    .filter((text) => shape.test(text) && text.isWellFormed())
  return fc.string({ unit, minLength, maxLength: Math.min(maxLength, 200) })
}

/** Fields of which one does not fit the schema. */
export function invalidFields(schema: Schema, known: Known, isJson: boolean): Arbitrary<Part<Fields>> {
  const wrong = isJson
    ? [null, [], {}, 1.5, -1, 1e9, '', '3', 'a\0', '\x07'.repeat(300), true]
    : ['a\0', 'b'.repeat(1_100)]
  const faults = fc.tuple(fc.constantFrom(...bodyNames), fc.constantFrom(...wrong))
  return fc
    .tuple(validFields(schema, known), faults, fc.boolean())
    .map(([{ value }, [name, fault], leavesOut]) =>
      leavesOut && schema.required?.includes(name) === true
        ? Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
        : { ...value, [name]: fault },
    )
    .filter((value) => !mayFit(schema, value))
    .map((value) => ({ value, isValid: false }))
}

/** Whether all fields may fit after all: what was put in may be a value of the schema. */
function mayFit({ properties = {}, required = [] }: Schema, fields: Fields): boolean {
  return (
    required.every((name) => Object.hasOwn(fields, name)) &&
    Object.entries(fields).every(
      ([name, value]) => Object.hasOwn(properties, name) && fits(properties[name] ?? {}, value),
    )
  )
}

function fits(
  { type, pattern, format, minLength = 0, maxLength = 1e9, minimum = 0, maximum = 0 }: Schema,
  value: unknown,
): boolean {
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer')
    return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum
  if (typeof value !== 'string') return false
  if (format === 'uuid') return /^[0-9a-f-]{36}$/i.test(value)
  return value.length >= minLength && value.length <= maxLength && new RegExp(pattern ?? '', 'u').test(value)
}
