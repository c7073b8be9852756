import { trusted, type Html } from './html.ts'

/** A low quotation mark: *sotto voce*, in a low voice. */
const shape =
  'M9.6 14.2a3.3 3.3 0 0 1 3.2 3.5c0 3-1.9 5.7-4.9 7.1l-.8-1.3c1.5-.9 2.5-2 2.8-3.2a3.1 3.1 0 0 1-.4 0 3 3 0 0 1 .1-6.1zm10.4 0a3.3 3.3 0 0 1 3.2 3.5c0 3-1.9 5.7-4.9 7.1l-.8-1.3c1.5-.9 2.5-2 2.8-3.2a3.1 3.1 0 0 1-.4 0 3 3 0 0 1 .1-6.1z'

/** Decoration beside the name, in the accent colour. */
export const mark: Html = trusted(
  `<svg viewBox="0 0 32 32" aria-hidden="true" fill="none"><rect x="1" y="1" width="30" height="30" rx="8" stroke="currentColor" stroke-width="2"/><path fill="currentColor" d="${shape}"/></svg>`,
)

/** The same mark for the tab, as a data URL. The colour is `#rrggbb`. */
export function iconOf(colour: string): string {
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colour}"/><path fill="#fff" d="${shape}"/></svg>`,
  )}`
}

/** Two sheets of paper. */
export const copyIcon: Html = trusted(
  '<svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5"><rect x="5.5" y="5.5" width="8.5" height="8.5" rx="1.5"/><path d="M10.5 2.5H4A1.5 1.5 0 0 0 2.5 4v6.5"/></svg>',
)
