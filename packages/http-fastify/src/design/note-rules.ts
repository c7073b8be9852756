/** The rules for a note and the bar above it, for the sheet of each area that shows notes. */
export const noteRules = `
.note { margin: 1.25rem 0 1.5rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--paper); }
.note .bar { padding-inline: 1.25rem .5rem; border-bottom: 1px solid var(--line); }
#note {
  margin: 0;
  padding: 1.125rem 1.25rem;
  font: 1rem/1.6 var(--mono);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
}
.cr::after { content: "\\A"; white-space: pre; }
@media (max-width: 30rem) {
  #note { padding-inline: 1rem; font-size: .9375rem; }
  .note .bar { padding-inline-start: 1rem; }
}
@media print {
  .note { border-width: 1px 0; border-radius: 0; }
  #note { padding-inline: 0; }
}
`
