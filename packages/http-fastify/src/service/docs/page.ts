import { createHash } from 'node:crypto'
import { markup, trusted, type Html } from '../../http/html.ts'
import { pageHeaders } from '../../http/security-headers.ts'
import { operationsOf, type OpenApiDocument, type PlacedOperation } from '../openapi/types.ts'
import { inline, prose, scrolling } from './elements.ts'
import { operationSection } from './operation.ts'
import { schemaTable } from './schema-table.ts'
import { style } from './style.ts'

/** A page with its headers. */
export interface Page {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The description of the API as a page to read: one document without scripts, images or anything from another host. Its content security
 * policy allows its own style, by hash, and nothing else.
 */
export function docsPage(document: OpenApiDocument): Page {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    html: pageOf(document).text,
    headers: { ...pageHeaders, 'content-security-policy': policy },
  }
}

function pageOf(document: OpenApiDocument): Html {
  const { info, openapi } = document
  // HEAD is described with GET.
  const operations = operationsOf(document).filter(({ method }) => method !== 'head')
  return markup`<!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${info.title}: API documentation</title>
    <style>${trusted(style)}</style>
    </head>
    <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header>
    <h1>${info.title}: API documentation</h1>
    <p class="lead">${info.summary}</p>
    </header>
    <main id="content">
    ${contents(operations)}
    <h2 id="overview">Overview</h2>
    ${prose(info.description)}${firstCall(document)}
    ${groups(document, operations)}
    <h2 id="schemas">Objects</h2>
    ${objects(document)}
    </main>
    <footer><p>Version ${info.version}. The same for programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI ${openapi}).</p></footer>
    </body>
    </html>
    `
}

function contents(operations: readonly PlacedOperation[]): Html {
  const entry = ({ path, method, operation: { operationId } }: PlacedOperation): Html =>
    markup`<li><a href="#${operationId}"><span class="method">${method.toUpperCase()}</span> ${path}</a></li>\n`
  return markup`<nav aria-label="Contents">
    <ul>
    <li><a href="#overview">Overview</a></li>
    ${operations.map(entry)}<li><a href="#schemas">Objects</a></li>
    </ul>
    </nav>`
}

function firstCall({ servers, paths }: OpenApiDocument): Html {
  const [path = ''] = Object.keys(paths)
  const command = `curl -H "Authorization: Bearer $TOKEN" ${servers[0]?.url ?? ''}${path}`
  return markup`<p>A first call:</p>
    ${scrolling('A first call', markup`<pre><code>${command}</code></pre>`)}`
}

function groups(document: OpenApiDocument, operations: readonly PlacedOperation[]): Html[] {
  return document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return markup`<h2>${name}</h2>
      <p>${inline(description)}</p>
      ${own.map((placed) => operationSection(document, placed))}`
  })
}

function objects({ components: { schemas } }: OpenApiDocument): Html[] {
  return Object.entries(schemas).map(
    ([name, schema]) => markup`<h3 id="schema-${name}">${name}</h3>\n${schemaTable(name, schema)}\n`,
  )
}
