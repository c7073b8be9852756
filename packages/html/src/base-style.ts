import { styleSheet } from './embedded.ts'
import { accentRules, ownAccent, sealColours, surfaces } from './palette.ts'

/**
 * The sheet of every page: palette, sizes, frame, text and buttons. One accent colour; serif headings;
 * only fonts of the system; a contrast of at least 4.5:1 for text and 3:1 for the borders of fields (WCAG 2.2 AA), in light and dark
 * mode. An area adds a sheet of its own, which takes colours and sizes from here.
 */
export const baseStyle = styleSheet(`
:root {
  color-scheme: light dark;
  --paper: ${surfaces.light.paper};
  --card: ${surfaces.light.card};
  --ink: ${surfaces.light.ink};
  --soft: ${surfaces.light.soft};
  --line: #e0dcd2;
  --edge: #85857c;
  --alert: #9c2a1c;
  --alert-wash: #fcefec;
  --final: #7a3208;
  --final-wash: #fae8db;
  --seal: ${sealColours.light};
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", Georgia, serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  --small: .9375rem;
  --gap: 1rem;
  --corner: .5rem;
  --measure: 44rem;
  --target: 2.75rem;
  --inset: clamp(1rem, 5vw, 2rem);
}
${accentRules(ownAccent)}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: ${surfaces.dark.paper};
    --card: ${surfaces.dark.card};
    --ink: ${surfaces.dark.ink};
    --soft: ${surfaces.dark.soft};
    --line: #2d3336;
    --edge: #798084;
    --alert: #ffa899;
    --alert-wash: #33201d;
    --final: #f5b88f;
    --final-wash: #33221a;
    --seal: ${sealColours.dark};
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; overscroll-behavior-y: none; }
body {
  margin: 0;
  padding: clamp(1rem, 4vw, 2.5rem) clamp(.75rem, 4vw, 2rem) 2rem;
  background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: break-word;
}
.top, main, .bottom { max-width: var(--measure); margin-inline: auto; }
.top { display: flex; align-items: center; gap: .625rem; padding-inline: .25rem; }
.home { display: flex; align-items: center; gap: .625rem; min-height: var(--target); color: var(--ink); font: 1.375rem/1.2 var(--serif); text-decoration: none; }
.home svg { flex: none; width: 1.75rem; color: var(--accent); }
.bottom { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1.5rem; padding-inline: .25rem; color: var(--soft); font-size: .875rem; }
.bottom p { margin: 0; }
.bottom a { display: inline-flex; align-items: center; min-height: var(--target); color: inherit; }
.languages { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.languages [aria-current][lang] { color: var(--ink); font-weight: 600; text-decoration: none; }
h1, h2 { font-family: var(--serif); font-weight: 500; line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.75rem, 1.4rem + 1.7vw, 2.25rem); }
:lang(ja) :is(h1, h2, .lead) { letter-spacing: 0; word-break: auto-phrase; }
[dir=rtl] :is(h1, h2) { letter-spacing: 0; }
p { margin: 0 0 var(--gap); }
p, li { text-wrap: pretty; }
main > :last-child, form > :last-child { margin-bottom: 0; }
a { color: var(--accent); }
.lead { font-size: 1.1875rem; line-height: 1.5; }
.hint { color: var(--soft); font-size: var(--small); line-height: 1.5; }
.status { margin: .625rem 0 0; color: var(--soft); font-size: var(--small); }
.status:empty { margin: 0; }
button, .button {
  display: inline-block;
  min-height: 3rem;
  padding: .6875rem min(1.5rem, 7.5vw);
  border: 1px solid var(--accent);
  border-radius: var(--corner);
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  overflow-wrap: anywhere;
  cursor: pointer;
}
button:hover, .button:hover { border-color: var(--pressed); background: var(--pressed); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
[hidden] { display: none !important; }
@media (max-width: 30rem) {
  body { padding: 1rem .75rem 1.5rem; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button { transition: background-color .15s, border-color .15s; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #333; --line: #999; }
  body { padding: 0; }
  .top, .bottom, .bar, form { display: none; }
}
`)

/** The frame of all other pages, which have something before their content. */
export const wideStyle = styleSheet(`
.wide { --measure: 62rem; padding-block-start: .75rem; }
.skip { position: absolute; inset-inline-start: -200vw; }
.skip:focus { position: static; }
`)

/** The frame of pages with one thing to read or to do. */
export const cardStyle = styleSheet(`
.card main {
  margin-block: 1.25rem;
  padding: clamp(1.5rem, 5vw, 2.25rem) var(--inset);
  border: 1px solid var(--line);
  border-radius: 1rem;
  background: var(--card);
  box-shadow: 0 .5rem 2rem #0000000d;
}
@media (max-width: 30rem) { .card main { margin-block: .875rem 1.25rem; } }
@media print { .card main { max-width: none; margin: 0; padding: 0; border: 0; } }
`)

/** The rules for forms, for the sheet of each area that has some: fields, quiet buttons, and buttons while a form is sent. */
export const formRules = `
label { font-weight: 600; }
:is(input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea) {
  display: block;
  width: 100%;
  min-height: 3rem;
  margin: .375rem 0 0;
  padding: .5rem .875rem;
  border: 1px solid var(--edge);
  border-radius: var(--corner);
  background: var(--card);
  color: inherit;
  font: inherit;
}
:is(input, select, textarea)[aria-invalid] { border: 2px solid var(--alert); }
button[aria-disabled] { cursor: progress; opacity: .75; }
.quiet { display: flex; align-items: center; gap: .5rem; margin: .25rem 0; min-width: var(--target); min-height: var(--target); padding: .4375rem .75rem; border-color: transparent; background: none; color: var(--accent); font-size: 1rem; }
.quiet:hover { border-color: transparent; background: var(--wash); color: var(--pressed); }
.quiet[aria-pressed=true] { text-decoration: underline; }
`

/** The rules for what stands beside something to read: secondary buttons, and what only screen readers say. */
export const readingRules = `
:is(button, .button).secondary { background: var(--card); border-color: var(--edge); color: var(--accent); }
:is(button, .button).secondary:hover { border-color: var(--accent); background: var(--wash); color: var(--pressed); }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`
