import {
  filled,
  localTimes,
  markup,
  noteElement,
  openedFilesScript,
  openedScript,
  copying,
  pageScript,
  saving,
  timeLeft,
  type Html,
} from '@sotto/html'
import type { LocalizedLink } from '../link/localized-link.ts'

// Pages of secrets that the sender's browser encrypted. The key is in the fragment of the link, so only a script can take it.

/** The script of an opened sealed secret, with and without files. */
export const sealedOpenedScript = pageScript(openedScript, localTimes, copying, saving)
export const sealedOpenedFilesScript = pageScript(openedFilesScript, localTimes, copying, saving, timeLeft)

/** The attributes of what is there only with the key. */
export const whenReady: Html = markup` data-when="ready" hidden`

/** What is true of a whole link only. The script hides it where the key is missing. */
export const ofWholeLink = (text: string): Html => markup`<span data-when="ready">${text}</span>`

/**
 * What is said in place of the form where nothing can be decrypted. Nothing is opened then.
 * @param isFirst whether nothing was sent yet: later a script has run already, and could encrypt
 */
export function insteadOfForm(
  { texts }: LocalizedLink,
  isFirst: boolean,
  noScript: Html = filled(texts.sealed.noScript, { command: markup`<code>sotto open</code>` }),
): Html {
  const { incomplete, insecure } = texts.sealed
  return markup`<p class="alert" data-when="incomplete" hidden>${incomplete}</p>
    ${
      isFirst &&
      markup`<p class="alert" data-when="insecure" hidden>${insecure}</p>
    <noscript><p class="alert">${noScript}</p></noscript>`
    }
    `
}

/** A text that the page's script decrypts. One that it cannot is spent, so it can be saved as it is. @param bar what copies and saves it */
export function sealedText({ texts }: LocalizedLink, bar: Html, note: string): Html {
  const { undecryptable, advice } = texts.sealed
  return markup`<p class="last" data-when="undecryptable" role="status" hidden>${undecryptable}. ${advice}</p>
    <div data-when="text undecryptable">${bar}</div>
    <div data-when="text" hidden>${noteElement(note)}</div>`
}

/** Says how saving a file goes. */
export function savingPart({ texts }: LocalizedLink): Html {
  const { saving, fileUndecryptable, fileFailed } = texts.sealed
  return markup`<p role="status" data-saving="${saving}" data-undecryptable="${fileUndecryptable}" data-failed="${fileFailed}"></p>
    `
}
