import { markup, type Html, type HtmlValue } from '@sotto/html'

/** Paragraphs of text, in which backticks mark code. */
export function prose(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => markup`<p>${inline(paragraph)}</p>\n`)
}

/** One line of text, in which backticks mark code. */
export function inline(text: string): Html[] {
  return text.split('`').map((piece, at) => (at % 2 === 1 ? markup`<code>${piece}</code>` : markup`${piece}`))
}

/** A part of the page that may be wider than a phone: it scrolls on its own, with the keyboard too, and has a name. */
export function scrolling(name: string, content: Html): Html {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${name}">${content}</div>`
}

/** A table whose first column contains the headers of its rows. */
export function table(name: string, heads: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  const rowOf = ([first, ...others]: readonly HtmlValue[]): Html =>
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
