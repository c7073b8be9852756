import { escapeText, markup, trusted, type Html } from './html.ts'

/**
 * A note as a preformatted element whose `textContent` is the note, character by character.
 * - The parser drops one line feed behind the opening tag, so one is put there for it.
 * - CR stays CR as a reference. Browsers show a lone one as a space; a wrapper gives it the line break that it means.
 * - `dir="auto"` gives each paragraph the direction of its own text and keeps it from the rest of the page.
 */
export function noteElement(note: string): Html {
  const text = trusted(escapeText(note).replace(/&#13;(?!\n)/g, '<span class="cr">&#13;</span>'))
  return markup`<pre id="note" dir="auto" translate="no">${trusted('\n')}${text}</pre>`
}
