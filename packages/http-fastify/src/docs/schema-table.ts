import type { TSchema } from 'typebox'
import { inline, markup, table, type Markup } from './markup.ts'

/** What is shown of a schema. */
interface Shown {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly default?: unknown
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Shown>>
}

/** The fields of an object; those of an object within it follow, with their path. */
export function schemaTable(name: string, schema: TSchema): Markup {
  const { description = '' }: Shown = schema
  return markup`<p>${inline(description)}</p>
${table(`Fields of ${name}`, ['Field', 'Type', 'Meaning'], rowsOf(schema, ''))}`
}

function rowsOf({ properties = {}, required = [] }: Shown, path: string): (string | Markup | Markup[])[][] {
  return Object.entries(properties).flatMap(([name, field]) => [
    [markup`<code>${path}${name}</code>`, typeOf(field, required.includes(name)), meaningOf(field)],
    ...rowsOf(field, `${path}${name}.`),
  ])
}

function typeOf({ type = 'any', format, const: only }: Shown, required: boolean): Markup {
  const name = only === undefined ? type + (format === undefined ? '' : ` (${format})`) : JSON.stringify(only)
  return required ? markup`${name}` : markup`${name} <span class="soft">optional</span>`
}

function meaningOf({ description = '', default: value }: Shown): Markup {
  if (value === undefined) return markup`${inline(description)}`
  return markup`${inline(description)} <span class="soft">Default: ${JSON.stringify(value)}.</span>`
}
