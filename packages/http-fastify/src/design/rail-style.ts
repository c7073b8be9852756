import { styleSheet } from './embedded.ts'

/** What only the owner's lists have, beside the sheet of all of the owner's pages: the rail of folders, and the head of one. */
export const railStyle = styleSheet(`
.split { display: grid; gap: 1rem; }
.split > * { min-width: 0; }
summary { padding: .5rem .75rem; border-radius: var(--corner); color: var(--accent); cursor: pointer; }
summary:hover { background: var(--wash); }
.switch summary { padding: .625rem .875rem; border: 1px solid var(--edge); background: var(--card); color: var(--ink); font-weight: 600; overflow-wrap: anywhere; }
.rail small { color: var(--soft); font-size: 1rem; font-weight: 400; }
.folders ul { margin: 0; padding: 0; list-style: none; }
.folders li:nth-child(2) { margin-block-end: 1rem; }
.folders a { display: flex; align-items: center; justify-content: space-between; gap: .75rem; min-height: var(--target); padding: .25rem .75rem; border-inline-start: 3px solid transparent; border-radius: var(--corner); color: var(--ink); line-height: 1.4; text-decoration: none; overflow-wrap: anywhere; }
.folders a:hover { background: var(--wash); color: var(--accent); }
.folders [aria-current] { border-color: var(--accent); background: var(--line); font-weight: 600; }
.folders [aria-current] small { color: inherit; }
.folders ~ details > summary { list-style: none; }
.split .panel { margin: .5rem 0; padding: 1.125rem; }
.split .panel h2 { font-size: 1.125rem; }
.rail :is(.field, button) { width: 100%; }
.part h2 { margin: 0; margin-inline-end: auto; }
.part details { display: contents; }
.part [open]::details-content { flex-basis: 100%; }
.part form + form { margin-block-start: 1rem; }
@media (min-width: 48rem) {
  .split { grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
  .switch { display: none; }
}
@media (max-width: 47.99rem) { .switch:not([open]) ~ * { display: none; } }
@media (forced-colors: active) { .folders [aria-current] { border: 2px solid; } }
`)
