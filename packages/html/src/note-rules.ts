import { stuck } from './stuck.ts'

/** The rules for a note and the bar above it, for the sheet of each area that shows notes. */
export const noteRules = `
:is(.last, .note-bar, #note) { margin-inline: calc(-1 * var(--inset)); }
${stuck({ selector: '.note-bar', edge: 'start' })}.note-bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; padding: .75rem var(--inset); border-block: 1px solid var(--line); background: var(--card); }
.note-bar :is(button, .bar) { margin: 0; }
.note-bar button { padding-inline: 1.125rem; }
.note-bar .hint { margin: 0; }
#note {
  max-height: 70vh;
  margin-block: 0;
  padding: 1.25rem var(--inset);
  overflow: auto;
  font: 1rem/1.6 var(--mono);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
}
.cr::after { content: "\\A"; white-space: pre; }
@media (scripting: none) { #note { user-select: all; } }
@media print { #note { max-height: none; padding-inline: 0; } .note-bar { display: none; } }
`
