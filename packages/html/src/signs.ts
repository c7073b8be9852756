import { trusted, type Html } from './html.ts'
import { sealOf } from './mark.ts'

/*
 * One sign for each state, small in lists and large for a recipient: a sealed envelope waits, an open one was opened, an empty one is gone.
 * They are decoration: the text beside them says the same.
 */

/** The signs of lists, in the colour of the text around them. */
export type Sign = 'sealed' | 'open' | 'locked' | 'draft' | 'empty'

const body = 'M1.75 6.25v7.5h12.5v-7.5'
const shapes: Readonly<Record<Sign, string>> = {
  sealed:
    '<path d="M1.75 2.75h12.5v10.5H1.75zm0 .5L8 8.5l6.25-5.25"/><circle cx="8" cy="8.5" r="1.75" fill="currentColor"/>',
  open: `<path d="${body}L8 10.5 1.75 6.25M4.25 7.5V1.75h7.5V7.5M6.25 4.5h3.5"/>`,
  locked: '<path stroke="var(--final)" d="M3.75 7.25h8.5v6.5h-8.5zM5.5 7V4.75a2.5 2.5 0 0 1 5 0V7"/>',
  draft: '<path d="M3.75 1.75h6l2.5 2.5v10h-8.5zM6 7.25h4M6 10.25h4"/>',
  empty: `<path stroke="var(--soft)" d="${body}L8 10.5 1.75 6.25 8 1.75l6.25 4.5"/>`,
}

/** The shapes of all signs, for a page that has signs. */
export const signShapes: Html = trusted(
  `<span hidden><svg>${Object.entries(shapes)
    .map(([sign, shape]) => `<symbol id="${sign}" viewBox="0 0 16 16">${shape}</symbol>`)
    .join('')}</svg></span>`,
)

/** A sign of the height of a line, on a page that has {@link signShapes}. */
export function signOf(sign: Sign): Html {
  return trusted(`<svg aria-hidden="true"><use href="#${sign}"/></svg>`)
}

/** The envelope of a message that was not opened, with its seal. */
export const sealedEnvelope: Html = trusted(
  `<svg class="envelope" viewBox="0 0 120 84" aria-hidden="true"><rect x="1" y="1" width="118" height="82" rx="5"/><path d="m3 4 57 44L117 4"/><g transform="translate(60 50)" stroke="none">${sealOf('var(--seal)')}</g></svg>`,
)

/** The envelope of a message that is open, with a sheet of paper. */
export const openEnvelope: Html = trusted(
  '<svg class="envelope" viewBox="0 0 120 92" aria-hidden="true"><path d="M2 34 60 2l58 32v56H2z"/><path fill="var(--card)" d="M22 14h76v46L60 80 22 60z"/><path fill="none" d="m2 36 58 38 58-38M36 30h48M36 42h48"/></svg>',
)

/** The envelope of a message that is gone. */
export const emptyEnvelope: Html = trusted(
  '<svg class="envelope" viewBox="0 0 120 92" aria-hidden="true"><path d="M2 34 60 2l58 32v56H2zm0 0h116M2 36l58 38 58-38"/></svg>',
)
