import { styleSheet } from '@sotto/html'

/** What only the description of the API has. */
export const docsStyle = styleSheet(`
h2 { font-size: 1.5rem; margin: 3rem 0 0.5rem; border-bottom: 1px solid var(--line); padding-bottom: 0.25rem; }
h3 { font-size: 1.125rem; margin: 2.25rem 0 0.5rem; overflow-wrap: anywhere; }
h4 { font-size: 1rem; margin: 1.5rem 0 0.25rem; }
.lead { color: var(--soft); }
nav ul { columns: 2 16rem; padding-inline-start: 1.25rem; }
code, pre { font: 0.9em/1.5 var(--mono); }
code { background: var(--wash); border-radius: 0.25rem; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: var(--corner); padding: 0.75rem 1rem; margin: 0.5rem 0; white-space: pre; width: max-content; min-width: 100%; }
pre code { background: none; padding: 0; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; width: 100%; min-width: 30rem; }
th, td { text-align: start; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; }
.method { display: inline-block; min-width: 7ch; font: 700 0.85em var(--mono); color: var(--accent); }
.soft { color: var(--soft); }
`)
