import type { OpenApiDocument, Operation, Reference, Response } from '../openapi/types.ts'
import { inline, markup, prose, scrolling, table, type Markup } from './markup.ts'

/** An operation with its place. */
export interface Placed {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** On every answer of the API, and told once. */
const toldBefore = new Set(['x-ratelimit-limit', 'x-ratelimit-remaining'])

/** Everything about one operation. */
export function operationSection(document: OpenApiDocument, { path, method, operation }: Placed): Markup {
  const { operationId, summary, description, parameters = [] } = operation
  return markup`<section aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<p><span class="method">${method}</span> <code>${path}</code></p>
${description === undefined ? undefined : prose(description)}
${parameters.map(({ name, description: what }) => markup`<p><code>${name}</code> in the path: ${inline(what)}</p>\n`)}
${body(operation)}
<h4>Answers</h4>
${answers(document, operation)}
${exampleAnswer(document, operation)}
</section>
`
}

function body({ summary, requestBody }: Operation): Markup | undefined {
  const media = requestBody?.content['application/json']
  const name = media?.schema && '$ref' in media.schema ? media.schema.$ref.split('/').at(-1) : undefined
  if (media === undefined || name === undefined) return undefined
  return markup`<h4>Body</h4>
<p>JSON: the object <a href="#schema-${name}">${name}</a>.</p>
${example(`Body of “${summary}”`, media.example)}`
}

function answers(document: OpenApiDocument, { summary, responses }: Operation): Markup {
  const rows = Object.entries(responses).map(([status, given]) => {
    const { description, headers = {} } = resolve<Response>(document, given)
    const names = Object.keys(headers).filter((name) => !toldBefore.has(name))
    return [status, inline(description), inline(names.map((name) => `\`${name}\``).join(', '))]
  })
  return table(`Answers of “${summary}”`, ['Status', 'Meaning', 'Headers'], rows)
}

function exampleAnswer(document: OpenApiDocument, { summary, responses }: Operation): Markup | undefined {
  const [first] = Object.values(responses)
  const [media] = Object.values((first && resolve<Response>(document, first))?.content ?? {})
  return media?.example === undefined ? undefined : example(`Answer of “${summary}”`, media.example)
}

function example(name: string, value: unknown): Markup {
  return scrolling(`Example: ${name}`, markup`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`)
}

/** The object behind a reference into the same document. */
function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value
  const path = value.$ref.slice(2).split('/')
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as T
}
