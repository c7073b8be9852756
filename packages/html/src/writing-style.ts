import { styleSheet } from './embedded.ts'
import { stuck } from './stuck.ts'

/** What only the pages have on which a secret is written, beside the sheet of all of the owner's pages. */
export const writingStyle = styleSheet(`
.panel.writing { display: grid; margin-block-end: 1rem; padding: 0; }
.writing { grid-template-columns: minmax(0, 1fr); }
.writing > .field { display: flex; flex-direction: column; margin: 0; padding: 1.25rem; }
.counter.over { color: var(--alert); font-weight: 600; }
.field textarea { min-height: 10rem; font: 1rem/1.6 var(--mono); resize: vertical; }
.writing textarea { flex: 1; min-height: 14rem; }
.writing .field { max-width: none; }
.options .field { margin-block-end: 1rem; }
.options { padding: 1.25rem; border-block-start: 1px solid var(--line); }
.options > :last-child { margin-bottom: 0; }
.segments { display: flex; flex-wrap: wrap; margin-block-start: .375rem; border: 1px solid var(--edge); border-radius: var(--corner); }
.segments label { position: relative; flex: 1 1 auto; width: min-content; font-weight: 400; }
.segments label + label { border-inline-start: 1px solid var(--line); }
.segments input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.segments span { font-size: 1rem; display: flex; align-items: center; justify-content: center; min-height: var(--target); padding: .25rem .375rem; border-radius: calc(var(--corner) - 1px); text-align: center; line-height: 1.25; }
.segments :checked + span { background: var(--wash); box-shadow: inset 0 -3px var(--accent); color: var(--accent); font-weight: 600; }
.segments :focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px; }
.choices > .field { margin-block: .75rem 0; }
.choices:not(:has([value=number]:checked)) > .field { display: none; }
.send { margin-block-start: 0; padding-block: .75rem; background: var(--paper); }
${stuck({ selector: '.send', edge: 'end' })}.beside { margin-inline-start: calc(-.375rem - 1px); }
.beside .quiet { padding-inline: .375rem; }
.options .beside { gap: 0 .375rem; }
.send .status { flex: 1 1 auto; margin: 0; }
@media (max-width: 48rem) { .send kbd { display: none; } }
@media (max-width: 30rem) {
  .send { gap: .5rem; }
  .send > button { padding-inline: .75rem; font-size: 1rem; }
  .send > .quiet { padding-inline: .375rem; font-size: .9375rem; }
  .send > button:last-child { margin-inline-start: auto; }
  .send .status:empty { position: absolute; }
}
@media (max-width: 24rem) { .segments span { padding-inline: .125rem; } }
.actions + .hint { margin: .75rem 0 0; }
.actions + .hint strong { color: var(--alert); }
kbd { color: var(--soft); font: .875rem var(--mono); }
@media (min-width: 48rem) {
  .writing { grid-template-columns: minmax(0, 1fr) 22rem; }
  .options { border-block-start: 0; border-inline-start: 1px solid var(--line); }
}
@media (forced-colors: active) {
  .segments :checked + span { outline: 2px solid; outline-offset: -4px; }
}
`)

/** What they have where files are taken. */
export const attachStyle = styleSheet(`
.attach { display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; margin: 0; padding: 1.25rem; border-block-start: 1px solid var(--line); }
.attach legend { float: inline-start; }
.attach > .choice { order: 1; margin-block-start: .5rem; }
form:has(#seal:checked) .attach > .choice { display: none; }
.attach.over { background: var(--wash); }
.attach .field { margin: .5rem 0 0; }
.attach .files { margin-block: .5rem 0; }
.attach .error { margin: .375rem 0 0; color: var(--alert); font-weight: 600; }
.attach .error:empty { margin: 0; }
.attach [type=file] { padding: 1rem; border-style: dashed; cursor: pointer; }
.attach.over [type=file] { border-color: var(--accent); }
::file-selector-button { min-height: var(--target); margin-inline-end: .75rem; padding: .375rem 1rem; border: 1px solid var(--edge); border-radius: var(--corner); background: var(--card); color: var(--accent); font: inherit; font-weight: 600; cursor: pointer; }
.send progress { flex: 1 1 8rem; min-width: 0; accent-color: var(--accent); }
.send progress[hidden] + .hint { display: none; }
@media (pointer: coarse) { .dropping { display: none; } }
@media (min-width: 48rem) {
  .writing:has(.attach) > .options { grid-area: 1 / 2 / span 2; }
  .writing textarea { min-height: 9rem; }
}
`)
