import type { TSchema } from 'typebox'
import { markup, type Html, type HtmlValue } from '@sotto/html'
import { inline, table } from './elements.ts'

/** The parts of a schema that are shown. */
interface Shown {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Shown>>
}

/** The fields of an object, followed by those of objects within it, with their paths. */
export function schemaTable(name: string, schema: TSchema): Html {
  const { description = '' }: Shown = schema
  return markup`<p>${inline(description)}</p>
    ${table(`Fields of ${name}`, ['Field', 'Type', 'Meaning'], rowsOf(schema, ''))}`
}

function rowsOf({ properties = {}, required = [] }: Shown, path: string): HtmlValue[][] {
  return Object.entries(properties).flatMap(([name, field]) => [
    [markup`<code>${path}${name}</code>`, typeOf(field, required.includes(name)), meaningOf(field)],
    ...rowsOf(field, `${path}${name}.`),
  ])
}

function typeOf({ type = 'any', format, const: only }: Shown, required: boolean): Html {
  const types = [type].flat().join(' or ')
  const name =
    only === undefined ? types + (format === undefined ? '' : ` (${format})`) : JSON.stringify(only)
  return required ? markup`${name}` : markup`${name} <span class="soft">optional</span>`
}

function meaningOf({ description = '' }: Shown): Html {
  return markup`${inline(description)}`
}
