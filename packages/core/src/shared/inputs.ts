import type { FieldError, InputRule } from './errors.ts'

/**
 * Tells whether a value is of a type. `guards` is never there: the compiler infers what a use-case takes from `oneOf(…)` and other calls that
 * make guards only if these are more than functions.
 */
export type Guard<T> = ((value: unknown) => value is T) & { readonly guards?: T }

/** What each field of an input has to be. */
export type Guards = Readonly<Record<string, Guard<unknown>>>

/** No fields. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- it has none
export type None = Record<never, never>

type Of<G> = G extends Guard<infer T> ? T : never

/** An input with the fields that it takes, and those that may be missing. */
export type InputOf<Takes, MayTake = None> = Plain<
  { readonly [Field in keyof Takes]: Of<Takes[Field]> } & {
    readonly [Field in keyof MayTake]?: Of<MayTake[Field]> | undefined
  }
>

/** Shows the fields of an intersection as those of one object. */
type Plain<T> = { [Field in keyof T]: T[Field] } & {}

/** What is wrong with an input: unknown names first, then fields of another type. Empty when nothing is. */
export type InputCheck = (input: unknown) => readonly FieldError<InputRule>[]

const none: readonly FieldError<InputRule>[] = []

/**
 * Makes the check of inputs with these fields. It is for callers whose code no compiler checks. A name whose value is `undefined` counts as
 * missing. An input that is no object at all is wrong in the one field `input`.
 */
export function checkOf(takes: Guards, mayTake: Guards): InputCheck {
  const taken = Object.entries(takes).map(([name, isRight]): [string, Field] => [
    name,
    { isRight, isNeeded: !isRight(undefined) },
  ])
  const more = Object.entries(mayTake).map(([name, guard]): [string, Field] => [
    name,
    { isRight: optional(guard), isNeeded: false },
  ])
  const fields = new Map([...taken, ...more])
  const needed = taken.filter(([, { isNeeded }]) => isNeeded).length
  return (input) => {
    if (!isObject(input)) return [{ field: 'input', rule: 'wrong_type' }]
    return isAsNamed(input, fields, needed) ? none : errorsOf(input, fields)
  }
}

/** A field of an input. */
interface Field {
  readonly isRight: (value: unknown) => boolean
  readonly isNeeded: boolean
}

type Fields = ReadonlyMap<string, Field>

/** Whether every name is known, each value right, and none missing: the usual case, in one pass. */
function isAsNamed(input: Readonly<Record<string, unknown>>, fields: Fields, needed: number): boolean {
  let found = 0
  for (const name in input) {
    const field = fields.get(name)
    if (field?.isRight(input[name]) !== true) return false
    if (field.isNeeded) found += 1
  }
  return found === needed
}

function errorsOf(
  input: Readonly<Record<string, unknown>>,
  fields: Fields,
): readonly FieldError<InputRule>[] {
  const unknown = Object.keys(input).filter((name) => !fields.has(name) && input[name] !== undefined)
  const wrong = [...fields].filter(([name, { isRight }]) => !isRight(input[name]))
  return [
    ...unknown.map((field) => ({ field, rule: 'unknown_name' }) as const),
    ...wrong.map(([field]) => ({ field, rule: 'wrong_type' }) as const),
  ]
}

/** A guard: a text. */
export function aString(value: unknown): value is string {
  return typeof value === 'string'
}

/** A guard: a number. */
export function aNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** A guard: true or false. */
export function aBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

/** A guard: a function. What it takes and answers is not checked. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- whoever uses it says of which type
export function aFunction<T extends (...given: never[]) => unknown>(value: unknown): value is T {
  return typeof value === 'function'
}

/** A guard: any object. Its fields are not checked. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- whoever uses it says of which type
export function anObject<T extends object>(value: unknown): value is T {
  return isObject(value)
}

/** A guard: an object with these fields. */
export function anObjectOf<const Takes extends Guards, const MayTake extends Guards = None>(
  takes: Takes,
  mayTake?: MayTake,
): Guard<InputOf<NoInfer<Takes>, NoInfer<MayTake>>> {
  const check = checkOf(takes, mayTake ?? {})
  return (value): value is InputOf<NoInfer<Takes>, NoInfer<MayTake>> => check(value).length === 0
}

/** A guard: a list of strings. */
export function aListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(aString)
}

/** A guard: one of these values. */
export function oneOf<const T>(...values: readonly T[]): Guard<T> {
  return (value): value is T => values.includes(value as T)
}

/** A guard: a value that passes `guard`, or `undefined`. */
export function optional<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || guard(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
