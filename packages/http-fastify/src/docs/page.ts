import { createHash } from 'node:crypto'
import type { OpenApiDocument, Operation } from '../openapi/types.ts'
import { inline, markup, prose, scrolling, type Markup } from './markup.ts'
import { operationSection, type Placed } from './operation.ts'
import { schemaTable } from './schema-table.ts'
import { style } from './style.ts'

/** A page and the headers that go with it. */
export interface Page {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The description of the API as a page to read: one document without scripts, images or anything from another host. Its policy
 * allows its own style, by hash, and nothing else.
 */
export function docsPage(document: OpenApiDocument): Page {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    html: pageOf(document).markup,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  }
}

function pageOf(document: OpenApiDocument): Markup {
  const { info, openapi } = document
  const operations = placedOperations(document)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: API documentation</title>
<style>${{ markup: style }}</style>
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
<footer><p>Version ${info.version}. The same for machines: <a href="/openapi.json">/openapi.json</a> (OpenAPI ${openapi}).</p></footer>
</body>
</html>
`
}

/** HEAD is described with GET. */
function placedOperations({ paths }: OpenApiDocument): Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]: [string, Operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
}

function contents(operations: readonly Placed[]): Markup {
  const entry = ({ path, method, operation: { operationId } }: Placed): Markup =>
    markup`<li><a href="#${operationId}"><span class="method">${method}</span> ${path}</a></li>\n`
  return markup`<nav aria-label="Contents">
<ul>
<li><a href="#overview">Overview</a></li>
${operations.map(entry)}<li><a href="#schemas">Objects</a></li>
</ul>
</nav>`
}

function firstCall({ servers, paths }: OpenApiDocument): Markup {
  const [path = ''] = Object.keys(paths)
  const command = `curl -H "Authorization: Bearer $TOKEN" ${servers[0]?.url ?? ''}${path}`
  return markup`<p>A first call:</p>
${scrolling('A first call', markup`<pre><code>${command}</code></pre>`)}`
}

function groups(document: OpenApiDocument, operations: readonly Placed[]): Markup[] {
  return document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return markup`<h2>${name}</h2>
<p>${inline(description)}</p>
${own.map((placed) => operationSection(document, placed))}`
  })
}

function objects({ components: { schemas } }: OpenApiDocument): Markup[] {
  return Object.entries(schemas).map(
    ([name, schema]) => markup`<h3 id="schema-${name}">${name}</h3>\n${schemaTable(name, schema)}\n`,
  )
}
