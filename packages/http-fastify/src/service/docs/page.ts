import { type Brand, pageOf, markup, type Html, localize } from '@sotto/html'
import { pageHeaders } from '../../http/answers/page-headers.ts'
import { operationsOf, type OpenApiDocument, type PlacedOperation } from '../../openapi/types.ts'
import type { ServicePage } from '../start-page.ts'
import { inline, prose, scrolling } from './elements.ts'
import { operationSection } from './operation.ts'
import { schemaTable } from './schema-table.ts'
import { docsStyle } from './style.ts'

const title = 'API documentation'

/** The description of the API as a page to read: one document without scripts or anything from another host. */
export function docsPage(document: OpenApiDocument, brand: Brand): ServicePage {
  const page = pageOf({
    localized: localize('en', {}, brand),
    title,
    layout: 'wide',
    skip: 'Skip to the content',
    home: '/',
    main: mainOf(document),
    footer: footerOf(document),
    sheets: [docsStyle],
  })
  return { html: page.body.toString(), headers: pageHeaders(page) }
}

function mainOf(document: OpenApiDocument): Html {
  const { info } = document
  // HEAD is described with GET.
  const operations = operationsOf(document).filter(({ method }) => method !== 'head')
  return markup`<h1>${title}</h1>
    <p class="lead">${info.summary}</p>
    ${contents(operations)}
    <h2 id="overview">Overview</h2>
    ${prose(info.description)}${firstCall(document)}
    ${groups(document, operations)}
    <h2 id="schemas">Objects</h2>
    ${objects(document)}`
}

function footerOf({ info, openapi }: OpenApiDocument): Html {
  return markup`<p>Version ${info.version}. The same for programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI ${openapi}).</p>`
}

function contents(operations: readonly PlacedOperation[]): Html {
  const entry = ({ path, method, operation: { operationId } }: PlacedOperation): Html =>
    markup`<li><a href="#${operationId}"><span class="method">${method.toUpperCase()} </span>${path}</a></li>\n`
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
