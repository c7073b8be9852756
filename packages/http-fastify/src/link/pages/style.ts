/**
 * The style of every page. One accent colour; serif headings; only fonts of the system; a contrast of at least 4.5:1 for text and 3:1
 * for the borders of fields (WCAG 2.2 AA), in light and dark mode.
 */
export const style = compact(`
:root {
  color-scheme: light dark;
  --paper: #f6f4ee;
  --card: #fffefb;
  --ink: #1f2528;
  --soft: #555d62;
  --line: #e0dcd2;
  --edge: #85857c;
  --accent: #0e5f57;
  --pressed: #0a4a44;
  --on-accent: #fff;
  --wash: #edf4f1;
  --alert: #9c2a1c;
  --alert-wash: #fcefec;
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", Georgia, serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #111415;
    --card: #191d1f;
    --ink: #eae7e0;
    --soft: #a8aeb1;
    --line: #2d3336;
    --edge: #798084;
    --accent: #7ccfc1;
    --pressed: #a5e0d6;
    --on-accent: #06211d;
    --wash: #16282a;
    --alert: #ffa899;
    --alert-wash: #33201d;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; overscroll-behavior-y: none; }
body {
  margin: 0;
  padding: clamp(1rem, 9vw, 5rem) clamp(1rem, 5vw, 2rem) 2rem;
  background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: break-word;
}
header, main, footer { max-width: 36rem; margin-inline: auto; }
header { display: flex; align-items: center; gap: .625rem; padding-inline: .25rem; color: var(--soft); }
header svg { flex: none; width: 1.75rem; height: 1.75rem; color: var(--accent); }
main {
  margin-block: 1.25rem;
  padding: clamp(1.5rem, 6vw, 2.75rem) clamp(1.25rem, 6vw, 2.75rem);
  border: 1px solid var(--line);
  border-radius: 1rem;
  background: var(--card);
}
footer { padding-inline: .25rem; color: var(--soft); font-size: .875rem; }
footer p { margin: 0; }
h1 {
  margin: 0 0 .75rem;
  font: 500 clamp(1.75rem, 1.4rem + 1.7vw, 2.25rem)/1.2 var(--serif);
  letter-spacing: -.01em;
  text-wrap: balance;
  overflow-wrap: anywhere;
}
p { margin: 0 0 1rem; }
p, li { text-wrap: pretty; }
:lang(ja) :is(h1, .lead) { letter-spacing: 0; word-break: auto-phrase; }
[dir=rtl] h1 { letter-spacing: 0; }
main > :last-child, form > :last-child { margin-bottom: 0; }
.lead { font-size: 1.1875rem; line-height: 1.5; }
.title { margin-bottom: .375rem; color: var(--soft); font-size: .9375rem; }
ul { margin: 1.25rem 0 1.5rem; padding: 0; list-style: none; }
li { position: relative; margin-bottom: .625rem; padding-inline-start: 1.375rem; }
li::before {
  content: "";
  position: absolute;
  inset-block-start: .6em;
  inset-inline-start: 0;
  width: .5rem;
  height: .5rem;
  border-radius: 50%;
  background: var(--accent);
}
time { white-space: nowrap; }
@media (max-width: 26rem) { time { white-space: normal; } }
label { font-weight: 600; }
input[type=password], input[type=text] {
  display: block;
  width: 100%;
  min-height: 3rem;
  margin: .375rem 0 .5rem;
  padding: .5rem .875rem;
  border: 1px solid var(--edge);
  border-radius: .5rem;
  background: var(--card);
  color: inherit;
  font: inherit;
}
input[aria-invalid] { border: 2px solid var(--alert); }
.hint { color: var(--soft); font-size: .9375rem; line-height: 1.5; }
.peek { display: flex; align-items: center; gap: .625rem; width: fit-content; min-height: 2.5rem; margin-bottom: .25rem; font-weight: 400; }
.peek input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.alert, .last { padding: .875rem 1.125rem; border-inline-start: 4px solid var(--accent); border-radius: .375rem; background: var(--wash); }
.alert { border-color: var(--alert); background: var(--alert-wash); }
.alert strong { display: block; color: var(--alert); }
button, .button {
  display: inline-block;
  min-height: 3rem;
  padding: .6875rem 1.5rem;
  border: 1px solid var(--accent);
  border-radius: .5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { border-color: var(--pressed); background: var(--pressed); }
button[aria-disabled] { cursor: progress; opacity: .75; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
form button, .button { margin-top: .75rem; }
.status { margin: .625rem 0 0; color: var(--soft); font-size: .9375rem; }
.status:empty { margin: 0; }
.note { margin: 1.25rem 0 1.5rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--paper); }
.bar { display: flex; align-items: center; justify-content: space-between; gap: .75rem; padding-inline: 1.25rem .5rem; border-bottom: 1px solid var(--line); }
.bar .status { margin: 0; }
.quiet { display: flex; align-items: center; gap: .5rem; margin: .25rem 0; min-height: 2.5rem; padding: .4375rem .75rem; border-color: transparent; background: none; color: var(--accent); font-size: 1rem; }
.quiet svg { flex: none; width: 1.125rem; height: 1.125rem; }
.quiet:hover { border-color: transparent; background: var(--wash); color: var(--pressed); }
pre {
  margin: 0;
  padding: 1.125rem 1.25rem;
  font: 1rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
}
.cr::after { content: "\\A"; white-space: pre; }
[hidden] { display: none; }
@media (max-width: 30rem) {
  body { padding-inline: .75rem; }
  form button, .button { width: 100%; }
  pre { padding-inline: 1rem; font-size: .9375rem; }
  .bar { padding-inline-start: 1rem; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button { transition: background-color .15s, border-color .15s; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #333; --line: #999; }
  body { padding: 0; }
  header, footer, .bar, form { display: none; }
  .note { border-width: 1px 0; border-radius: 0; }
  pre { padding-inline: 0; }
  main { max-width: none; margin: 0; padding: 0; border: 0; }
}
`)

/** Removes what only people need. */
function compact(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;\}/g, '}')
    .trim()
}
