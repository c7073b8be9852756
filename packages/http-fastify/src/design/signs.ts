import { trusted, type Html } from './html.ts'

/*
 * One sign for each state, small in lists and large for a recipient: a sealed envelope waits, an open one was opened, an empty one is gone.
 * They are decoration: the text beside them says the same.
 */

/** The signs of lists, in the colour of the text around them. */
export type Sign = 'sealed' | 'open' | 'locked' | 'draft' | 'done'

const shapes: Readonly<Record<Sign, string>> = {
  sealed: '<path d="M1.75 3.75h12.5v8.5H1.75zm0 .5L8 9l6.25-4.75"/>',
  open: '<path d="M1.75 6.25 8 2.25l6.25 4v7.5H1.75zm0 0L8 10.5l6.25-4.25"/>',
  locked: '<path d="M3.75 7.25h8.5v6.5h-8.5zM5.5 7V4.75a2.5 2.5 0 0 1 5 0V7"/>',
  draft: '<path d="M3.75 1.75h6l2.5 2.5v10h-8.5zM6 7.25h4M6 10.25h4"/>',
  done: '<path d="m2.75 8.75 3.5 3.5 7-8.5"/>',
}

/** The shapes of all signs, for a page that has signs. */
export const signShapes: Html = trusted(
  `<svg hidden>${Object.entries(shapes)
    .map(([sign, shape]) => `<symbol id="${sign}" viewBox="0 0 16 16">${shape}</symbol>`)
    .join('')}</svg>`,
)

/** A sign of the height of a line, on a page that has {@link signShapes}. */
export function signOf(sign: Sign): Html {
  return trusted(`<svg class="sign" aria-hidden="true"><use href="#${sign}"/></svg>`)
}

const quotes =
  'M66 58a4 4 0 0 1 4 4c0 4-2 7-5 8l-1-1c2-1 3-2 3-4a3.5 3.5 0 1 1-1-7zm-11 0a4 4 0 0 1 4 4c0 4-2 7-5 8l-1-1c2-1 3-2 3-4a3.5 3.5 0 1 1-1-7z'

/** The envelope of a message that was not opened, with its seal. */
export const sealedEnvelope: Html = trusted(
  `<svg class="envelope" viewBox="0 0 120 84" aria-hidden="true"><rect x="1" y="1" width="118" height="82" rx="5"/><path d="m3 4 57 44L117 4"/><circle cx="60" cy="63" r="14"/><path class="quotes" d="${quotes}"/></svg>`,
)

/** The envelope of a message that is open, with a sheet of paper. */
export const openEnvelope: Html = trusted(
  '<svg class="envelope" viewBox="0 0 120 92" aria-hidden="true"><path d="M2 34 60 2l58 32v56H2z"/><path class="sheet" d="M22 20h76v40L60 78 22 60z"/><path d="m2 36 58 38 58-38"/></svg>',
)

/** The envelope of a message that is gone. */
export const emptyEnvelope: Html = trusted(
  '<svg class="envelope" viewBox="0 0 120 92" aria-hidden="true"><path d="M2 34 60 2l58 32v56H2zm0 0h116M2 36l58 38 58-38"/></svg>',
)
