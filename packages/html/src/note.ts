import { escapeText, markup, trusted, type Html } from './html.ts'

/**
 * A note as a preformatted element whose `textContent` is exactly the note.
 * - The HTML parser drops one line feed after the opening tag, so one is added there.
 * - CR is written as a reference, so that it stays CR. Browsers show a lone one as a space; a wrapper turns it into a line break.
 * - `dir="auto"` gives each paragraph the direction of its own text, whatever the direction of the page.
 */
export function noteElement(note: string): Html {
  const text = trusted(escapeText(note).replace(/&#13;(?!\n)/g, '<span class="cr">&#13;</span>'))
  return markup`<pre id="note" tabindex="0" dir="auto" translate="no">${trusted('\n')}${text}</pre>`
}
