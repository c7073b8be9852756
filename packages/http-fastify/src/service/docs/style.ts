/** The style of the page: only fonts of the system, light and dark mode, from the width of a phone on. */
export const style = `
:root { color-scheme: light dark; --ink: #1d1f24; --soft: #565c68; --paper: #fdfdfc; --panel: #f1f2f4; --line: #d5d8de; --accent: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ec; --soft: #a8afbc; --paper: #14161a; --panel: #1e2127; --line: #363b45; --accent: #86b9f2; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
header, main, footer { max-width: 56rem; margin: 0 auto; padding: 1rem 1.25rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1rem 0 0.25rem; }
h2 { font-size: 1.4rem; margin: 3rem 0 0.5rem; border-bottom: 1px solid var(--line); padding-bottom: 0.25rem; }
h3 { font-size: 1.1rem; margin: 2.25rem 0 0.5rem; overflow-wrap: anywhere; }
h4 { font-size: 1rem; margin: 1.5rem 0 0.25rem; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.lead { font-size: 1.15rem; color: var(--soft); margin: 0; }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; }
nav ul { columns: 2 16rem; padding-left: 1.25rem; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
code { background: var(--panel); border-radius: 0.25rem; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.75rem 1rem; margin: 0.5rem 0; white-space: pre; width: max-content; min-width: 100%; }
pre code { background: none; padding: 0; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; width: 100%; min-width: 30rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; }
.method { display: inline-block; min-width: 3.2rem; font: 700 0.85em ui-monospace, monospace; color: var(--accent); }
.soft { color: var(--soft); }
footer { color: var(--soft); border-top: 1px solid var(--line); margin-top: 3rem; }
`
