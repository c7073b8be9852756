import { trusted, type Html } from './html.ts'
import { sealColours } from './palette.ts'

/** A seal with low quotation marks: *sotto voce*, in a low voice. Its middle is at 0, its radius 14. */
export function sealOf(colour: string): string {
  return `<circle r="14" fill="${colour}"/><path d="M-4-3q1 6-3.5 9M6-3q1 6-3.5 9" fill="none" stroke="#fff" stroke-width="4.5" stroke-linecap="round"/>`
}

/** An envelope with its seal: decoration beside the name, in the accent colour. */
export const mark: Html = trusted(
  `<svg viewBox="0 0 32 24" aria-hidden="true" fill="currentColor">${envelope('var(--paper)', `<g transform="translate(16 14)scale(.5)">${sealOf('var(--seal)')}</g>`)}</svg>`,
)

/** The mark for the tab, where nobody could read the seal, as a data URL. The colour is `#rrggbb`. */
export function iconOf(colour: string): string {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -4 32 32" fill="${colour}">${envelope('#fff', `<circle cx="16" cy="14" r="6" fill="${sealColours.light}"/>`)}</svg>`
  return `data:image/svg+xml,${drawing.replace(/[<>"# ]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`
}

function envelope(line: string, seal: string): string {
  return `<rect width="32" height="24" rx="3"/><path d="m1 2 15 12L31 2" fill="none" stroke="${line}" stroke-width="2"/>${seal}`
}

/** The sign for copying: two sheets of paper. */
export const copyIcon: Html = trusted(
  '<svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5"><rect x="5.5" y="5.5" width="8.5" height="8.5" rx="1.5"/><path d="M10.5 2.5H4A1.5 1.5 0 0 0 2.5 4v6.5"/></svg>',
)
