/** Markup that may stand in a page as it is. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Part[] | undefined

/** Puts markup together. Whatever is no markup already is escaped. */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: pieces.map((piece, at) => piece + textOf(parts[at])).join('') }
}

/** Paragraphs of text, in which backticks mark code. */
export function prose(text: string): Markup[] {
  return text.split('\n\n').map((paragraph) => markup`<p>${inline(paragraph)}</p>\n`)
}

/** One line of text, in which backticks mark code. */
export function inline(text: string): Markup[] {
  return text.split('`').map((piece, at) => (at % 2 === 1 ? markup`<code>${piece}</code>` : markup`${piece}`))
}

/** A part of the page that may be wider than a phone: it scrolls by itself, with the keyboard too, and has a name. */
export function scrolling(name: string, content: Markup): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${name}">${content}</div>`
}

/** A table, each cell of whose first column names its row. */
export function table(name: string, heads: readonly string[], rows: readonly (readonly Part[])[]): Markup {
  const rowOf = ([first, ...others]: readonly Part[]): Markup =>
    markup`<tr><th scope="row">${first}</th>${others.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`
  return scrolling(
    name,
    markup`<table>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(rowOf)}</tbody>
</table>`,
  )
}

function textOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(textOf).join('')
}

function escaped(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? '')
}
