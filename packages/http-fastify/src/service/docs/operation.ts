import { markup, type Html } from '@sotto/html'
import type { OpenApiDocument, Operation, PlacedOperation, Reference, Response } from '../../openapi/types.ts'
import { inline, prose, scrolling, table } from './elements.ts'

/** Headers on every answer of the API, which the overview describes. */
const describedOnce = new Set(['x-ratelimit-limit', 'x-ratelimit-remaining'])

/** Everything about one operation. */
export function operationSection(document: OpenApiDocument, placed: PlacedOperation): Html {
  const { path, method, operation } = placed
  const { operationId, summary, description, parameters = [] } = operation
  return markup`<section aria-labelledby="${operationId}">
    <h3 id="${operationId}">${summary}</h3>
    <p><span class="method">${method.toUpperCase()}</span> <code>${path}</code>${originOf(document, placed)}</p>
    ${description === undefined ? undefined : prose(description)}
    ${parameters.map(({ name, in: where, description: what }) => markup`<p><code>${name}</code> in the ${where}: ${inline(what)}</p>\n`)}
    ${bodies(operation)}
    <h4>Answers</h4>
    ${answers(document, operation)}
    ${exampleAnswer(document, operation)}
    </section>
    `
}

/** The origin of an operation, if it is not the one of the API. */
function originOf(
  { servers: [server] }: OpenApiDocument,
  { servers: [own] }: PlacedOperation,
): Html | undefined {
  return own === undefined || own.url === server?.url ? undefined : markup` on <code>${own.url}</code>`
}

const bodyKinds: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'application/x-www-form-urlencoded': 'Form',
  'multipart/form-data': 'Form with files',
}

function bodies({ summary, requestBody }: Operation): Html | undefined {
  if (requestBody === undefined) return undefined
  const list = Object.entries(requestBody.content).map(([type, { schema, example }]) => {
    const kind = bodyKinds[type] ?? type
    const name = schema && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined
    return markup`<p>${kind}: the object <a href="#schema-${name}">${name}</a>${requestBody.required ? '' : ', optional'}.</p>
      ${example === undefined ? undefined : exampleOf(`${kind} body of “${summary}”`, example)}`
  })
  return markup`<h4>Body</h4>
    ${list}`
}

function answers(document: OpenApiDocument, { summary, responses }: Operation): Html {
  const rows = Object.entries(responses).map(([status, given]) => {
    const { description, headers = {} } = resolve<Response>(document, given)
    const names = Object.keys(headers).filter((name) => !describedOnce.has(name))
    return [status, inline(description), inline(names.map((name) => `\`${name}\``).join(', '))]
  })
  return table(`Answers of “${summary}”`, ['Status', 'Meaning', 'Headers'], rows)
}

function exampleAnswer(document: OpenApiDocument, { summary, responses }: Operation): Html | undefined {
  const [first] = Object.values(responses)
  const [media] = Object.values((first && resolve<Response>(document, first))?.content ?? {})
  return media?.example === undefined ? undefined : exampleOf(`Answer of “${summary}”`, media.example)
}

function exampleOf(name: string, value: unknown): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return scrolling(`Example: ${name}`, markup`<pre><code>${text}</code></pre>`)
}

/** The object that a reference into the same document points to. */
function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value
  const path = value.$ref.slice(2).split('/')
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as T
}
