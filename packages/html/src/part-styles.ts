import { readingRules } from './base-style.ts'
import { copyRules } from './copy-rules.ts'
import { styleSheet } from './embedded.ts'
import { stuck } from './stuck.ts'

/*
 * The sheets of parts that only some of the owner's pages have, so that the others need not carry them. Each page names those that it needs
 * beside the sheet of all of the owner's pages.
 */

/** What all pages may have but those with nothing but a form. */
export const readingStyle = styleSheet(`${readingRules}
bdi { text-align: -webkit-match-parent; text-align: match-parent; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.375rem; }
.head > a { display: inline-flex; align-items: center; min-height: var(--target); }
:is(button, .button).danger { border-color: var(--alert); background: var(--card); color: var(--alert); }
:is(button, .button).danger:hover { border-color: var(--alert); background: var(--alert-wash); color: var(--alert); }
.banner.warning { border-color: var(--final); background: var(--final-wash); }
svg:has(use) { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linejoin: round; color: var(--accent); }
time { unicode-bidi: isolate; }
.panel > :first-child { margin-top: 0; }
.panel > :last-child { margin-bottom: 0; }
`)

/** Lists, and the choices above them: for all pages but those with nothing but a form. */
export const rowStyle = styleSheet(`
.tabs ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none; }
.tabs a { display: flex; align-items: center; gap: .375rem; min-height: var(--target); padding: .25rem .75rem; border-radius: var(--corner); color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.tabs a:hover { background: var(--wash); color: var(--accent); }
.tabs [aria-current] { background: var(--wash); box-shadow: inset 0 -3px var(--accent); color: var(--accent); font-weight: 600; }
.tabs { min-width: 0; margin-block-end: 1rem; }
.tabs small { color: var(--soft); font-size: .875rem; }
.items { margin: 0 0 1.5rem; padding: 0; border: 1px solid var(--line); border-radius: .875rem; background: var(--card); list-style: none; }
.items > li { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; padding: .75rem clamp(1rem, 3vw, 1.5rem); }
.items > li + li { border-top: 1px solid var(--line); }
.items p { margin: 0; color: var(--soft); font-size: var(--small); }
.pages { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .75rem; }
@media (forced-colors: active) {
  .items { border: 1px solid; }
  .tabs [aria-current] { border: 2px solid; }
}
@media print { .pages, .items form { display: none; } }
`)

/** The sheet of all pages but those with nothing but a form, and a list of secrets in all folders, which is the largest page. */
export const detailStyle = styleSheet(`
.head .actions { margin: 0; }
.crumbs { flex-basis: 100%; margin: 0; color: var(--soft); font-size: var(--small); }
:is(.crumbs, p.after) > a { display: inline-flex; align-items: center; min-height: var(--target); }
h3 { margin: 1.5rem 0 .375rem; font-size: 1.0625rem; }
.head .lead { flex-basis: 100%; min-width: 0; margin: 0; color: var(--soft); font-size: 1.0625rem; }
.after { margin-block: 1.5rem 0; }
button.quiet.danger { border-color: transparent; background: none; }
.card h1 + .banner { margin-block-start: 1.25rem; }
.end { margin-block-start: 2.5rem; }
.items div { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; }
.items div > a { display: flex; align-items: end; min-height: var(--target); margin-block-start: -.625rem; padding-block: .625rem .125rem; color: var(--ink); font-weight: 600; text-decoration: none; }
.items div > a:hover { color: var(--accent); text-decoration: underline; }
.items form { margin: 0; }
.state { margin: 0; }
.state svg { margin-block-end: -.125rem; }
.empty h2 { margin-top: 0; }
.empty > form { max-width: 24rem; margin: 1.5rem auto 0; text-align: start; }
.empty { padding: clamp(2rem, 8vw, 4rem) 1.25rem; border: 1px dashed var(--edge); border-radius: .875rem; text-align: center; }
.empty > :last-child { margin-bottom: 0; }
.empty + .panel { margin-block-start: 1.5rem; }
.empty p { max-width: 28rem; margin-inline: auto; }
.question { max-width: 38rem; margin-inline: auto; }
#share-hint { text-align: end; }
.part h2 { margin: 0; margin-inline-end: auto; }
.part details { display: contents; }
.part [open]::details-content { flex-basis: 100%; }
.part form + form { margin-block-start: 1rem; }
@media (min-width: 48rem) {
  .part .panel { display: flex; align-items: end; justify-content: space-between; }
  .part form:first-child { flex: 0 1 24rem; }
}
@media (max-width: 30rem) {
  .head .actions { flex-basis: 100%; }
  .items div { flex-basis: 100%; }
}
@media (forced-colors: active) { .empty { border: 1px solid; } }
${copyRules}`)

/** A link, or something else to copy once, with what happened to it. */
export const secretStyle = styleSheet(`
dl.facts { display: grid; grid-template-columns: fit-content(50%) minmax(0, 1fr); gap: .5rem 1.25rem; margin: 0 0 1.5rem; overflow-wrap: anywhere; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.once { display: block; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: var(--corner); background: var(--paper); font: 1rem/1.5 var(--mono); overflow-wrap: anywhere; user-select: all; }
.link { display: grid; }
.link > * { min-width: 0; }
.bar:has(.main) { flex-direction: row-reverse; justify-content: flex-end; }
.link .once { font-size: 1.125rem; }
.link .warning { margin: 0; padding-inline-start: .875rem; border-inline-start: 4px solid var(--final); }
.timeline { margin: 0; padding: 0; list-style: none; }
.timeline li { position: relative; padding-block-end: 1rem; padding-inline-start: 1.75rem; }
.timeline li::before, .timeline li:not(:last-child)::after { content: ""; position: absolute; inset-block-start: .45em; inset-inline-start: 0; width: .75rem; height: .75rem; border: 2px solid var(--accent); border-radius: 50%; background: var(--accent); }
.timeline li:not(:last-child)::after { inset-block: 1.4em -.25em; inset-inline-start: .3125rem; width: 0; height: auto; border-width: 0 0 0 2px; border-color: var(--line); border-radius: 0; }
.timeline .urgent::before { border-color: var(--final); background: var(--final); }
.timeline .coming::before { background: none; }
.timeline time:last-child { display: block; color: var(--soft); font-size: var(--small); }
.timeline time::first-letter { text-transform: uppercase; }
.qr { width: 13rem; height: auto; max-width: 100%; border-radius: var(--corner); background: #fff; color: #000; }
@media (min-width: 48rem) {
  .halves { display: grid; grid-template-columns: 2fr 3fr; gap: 0 2.5rem; }
  .link { grid-template-columns: minmax(0, 1fr) auto; column-gap: 2rem; }
  .link > * { grid-column: 1; }
  .link > .qr { grid-area: 1 / 2 / span 6; }
}
@media (forced-colors: active) { .qr { forced-color-adjust: none; } }
`)

/** What can be done with the secrets of a list that are selected. */
const selectedBox = {
  selector: 'form:not(.panel):has(:checked) > .secrets + .actions',
  edge: 'end',
  sign: ':checked',
  more: 'padding-block: .5rem; background: var(--paper);',
} as const

/** Secrets in a list, with what is above it: the search, and the choice of a status. */
export const listStyle = styleSheet(`
.tools { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; margin-block-end: 1rem; }
.tools .tabs { margin: 0; }
.tools .search { flex-basis: 100%; margin: 0; }
.search { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem; }
.search input { flex: 1; width: 8rem; margin: 0; }
.search ::placeholder { color: var(--soft); opacity: 1; }
.search .error { flex-basis: 100%; margin: 0; color: var(--alert); font-size: var(--small); font-weight: 600; }
.secrets { display: grid; grid-template-columns: minmax(0, 1fr) fit-content(13rem) auto; gap: 0 1rem; }
.secrets > li { display: grid; grid-column: 1 / -1; grid-template-columns: minmax(0, 1fr) auto auto; grid-template-columns: subgrid; padding: 0; padding-block-end: .5rem; padding-inline-end: .75rem; }
.secrets label { display: flex; grid-row: 1; align-items: center; gap: .625rem; min-height: var(--target); padding-inline-start: 1rem; }
.secrets input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.secrets a { display: flex; flex: 1; align-items: center; min-height: var(--target); color: var(--ink); text-decoration: none; }
.secrets :is(a, label > bdi) { min-width: 0; padding-block: .5rem; overflow-wrap: anywhere; }
.secrets a:hover { color: var(--accent); text-decoration: underline; }
.secrets :is(label, p) { grid-column: 1; }
.secrets p { grid-row: 2; margin-block-start: -.5rem; padding-inline-start: 4.625rem; overflow-wrap: anywhere; }
.secrets :where(small, .quiet) { grid-row: 1 / 3; margin-block-start: .25rem; }
.secrets small { color: var(--soft); font-size: var(--small); }
.secrets .quiet { margin-block-end: 0; padding-inline: .375rem; font-weight: 400; }
@media (scripting: enabled) { form:not(.panel):not(:has(:checked)) > .secrets + .actions { display: none; } }
${stuck(selectedBox)}@media (max-width: 30rem) {
  .secrets { display: block; }
  .secrets > li { display: flex; }
  .secrets :is(label, p) { flex-basis: 100%; }
  .secrets small { flex: 1; }
  .secrets :is(p, small) { padding-inline-start: min(4.625rem, 23.2vw); }
}
`)

/** Boxes to tick, fields in groups, and an arrow of its own for a list of choices: that of browsers touches the edge. */
export const choiceStyle = styleSheet(`
.choice { display: flex; align-items: center; gap: .625rem; width: fit-content; min-height: var(--target); font-weight: 400; overflow-wrap: anywhere; }
.choice + .hint { margin: 0; }
.choice + .hint a { display: inline-flex; align-items: center; min-height: var(--target); }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
fieldset { min-width: 0; margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; overflow-wrap: anywhere; }
select[name] { appearance: none; padding-inline-end: 2.25rem; background-image: linear-gradient(45deg, transparent 50%, currentcolor 0), linear-gradient(-45deg, transparent 50%, currentcolor 0); background-position: right 1.125rem center, right .875rem center; background-repeat: no-repeat; background-size: .3125rem .3125rem; }
[dir=rtl] select[name] { background-position: left .875rem center, left 1.125rem center; }
`)

/** Badges in lists. */
export const badgeStyle = styleSheet(`
.badge { display: inline-block; padding: .0625rem .625rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); font-size: .875rem; white-space: nowrap; }
.badge.good { border-color: currentcolor; color: var(--accent); }
.badge.warm { border-color: currentcolor; color: var(--final); }
.badge.bad { border-color: currentcolor; color: var(--alert); }
@media (forced-colors: active) { .badge { border: 1px solid; } }
`)

/** The rail of folders beside a list, and the head of one. */
export const railStyle = styleSheet(`
.split { display: grid; gap: 1rem; }
.split > * { min-width: 0; }
summary { padding: .5625rem .75rem; border-radius: var(--corner); color: var(--accent); cursor: pointer; }
summary:hover { background: var(--wash); }
summary h2 { display: inline; margin: 0; font: inherit; letter-spacing: 0; }
.switch[open] { margin-block-end: .5rem; }
.switch summary { padding: .625rem .875rem; border: 1px solid var(--edge); background: var(--card); color: var(--ink); font-weight: 600; overflow-wrap: anywhere; }
.rail small { white-space: nowrap; color: var(--soft); font-size: 1rem; font-weight: 400; }
.folders ul { display: block; }
.folders li:nth-child(2) { margin-block-end: 1rem; }
.folders a { justify-content: space-between; gap: .75rem; border-inline-start: 3px solid transparent; line-height: 1.4; }
.folders [aria-current] { border-color: var(--accent); background: var(--line); box-shadow: none; color: inherit; font-weight: 600; }
.folders [aria-current] small { color: inherit; }
.folders ~ details > summary { padding-inline-start: .9375rem; list-style: none; }
.split .panel { margin: .5rem 0; padding: 1.125rem; }
.rail :is(.field, button) { width: 100%; }
@media (min-width: 48rem) {
  .split { grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
  .switch { display: none; }
}
@media (max-width: 47.99rem) { .switch:not([open]) ~ * { display: none; } }
`)

/** What can be set, with its explanation on the left, and lists of it. */
export const settingsStyle = styleSheet(`
.setting { padding-block: 1.5rem; border-block-start: 1px solid var(--line); }
.setting h2 { margin: 0 0 .375rem; }
.setting > :first-child p { color: var(--soft); }
.setting > :last-child > :last-child, .setting .actions { margin-block-end: 0; }
.setting :is(.items div, details[open]) { flex-basis: 100%; }
.items .quiet { margin: 0; padding-inline: 0; }
summary { list-style: none; font-weight: 600; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
@media (min-width: 48rem) {
  .setting { display: grid; grid-template-columns: 2fr 3fr; gap: 0 2.5rem; }
  .setting > * { min-width: 0; }
}
`)

/** How much is new, in the navigation and in lists. */
export const newsStyle = styleSheet(`
.news { padding: 0 .5rem; border-radius: 1rem; background: var(--accent); color: var(--on-accent); font-size: .875rem; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.top .news { margin-inline-start: .375rem; }
@media (max-width: 30rem) { .top nav :is(a:not(.new), button) { padding-inline: .375rem; } }
@media (forced-colors: active) { .news { border: 1px solid; } }
`)

/** What somebody handed in, alone or in a list. */
export const answerStyle = styleSheet(`
#note { max-height: 70vh; margin: 0 0 1rem; overflow: auto; font: 1rem/1.6 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.cr::after { content: "\\A"; white-space: pre; }
.answer .beside { gap: .5rem 1rem; margin: 0; }
.answers .badge { margin-inline-start: .25rem; }
.answers .quiet { margin: 0; padding-inline: .375rem; }
.answers .bar { flex: none; }
.answers section:not([hidden]) { display: contents; }
.answers > li { gap: 0 .5rem; }
h1 a { color: inherit; }
@media (scripting: none) { #note { user-select: all; } }
`)

/** The sheet that only the pages of requests have. */
export const requestStyle = styleSheet(`
.items > li > a { display: inline-flex; align-items: center; min-width: 0; max-width: 100%; min-height: var(--target); overflow-wrap: anywhere; }
.asked { white-space: pre-wrap; overflow-wrap: anywhere; }
[data-panel] [data-when~=new] > .bar { margin-block-end: 1.25rem; }
@media (max-width: 47.99rem) { .qr { margin-block-start: 1.25rem; } }
`)
