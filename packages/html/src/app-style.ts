import { formRules } from './base-style.ts'
import { styleSheet } from './embedded.ts'

/**
 * The sheet of the owner's pages, beside the base sheet: navigation, buttons, fields, banners, lists, badges and empty states. Its elements
 * are in `app-elements.ts`. Touch targets are 44 CSS pixels high (WCAG 2.2, 2.5.5); everything fits a width of 320 and follows the
 * direction of the page.
 */
export const appStyle = styleSheet(`${formRules}
.wide main { margin-block: 1rem 2rem; }
.wide :is(.top, .bottom) { padding-inline: 0; }
.wide .top { flex-wrap: wrap; }
.top nav { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem; margin-inline-start: auto; }
.top nav :is(a, button) { display: inline-flex; align-items: center; min-height: var(--target); margin: 0; padding: .25rem .75rem; border: 1px solid transparent; border-radius: var(--corner); background: none; color: var(--ink); font: inherit; font-size: 1rem; font-weight: 400; text-decoration: none; }
.top nav :is(a, button):hover { background: var(--wash); color: var(--accent); }
.top nav [aria-current] { color: var(--accent); font-weight: 600; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .4em; }
.top nav form { display: contents; }
.top nav .new { margin-inline-start: .25rem; border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
.top nav .new:hover { border-color: var(--pressed); background: var(--pressed); color: var(--on-accent); }

.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1.5rem; margin-block-end: 1rem; }
.head h1 { margin: 0; }
.skip { display: inline-flex; align-items: center; min-height: var(--target); }
.languages button { min-width: var(--target); min-height: var(--target); padding: 0; border: 0; background: none; color: inherit; font-weight: 400; text-decoration: underline; }

.soft { color: var(--soft); }
.beside { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; margin-inline-start: calc(-.75rem - 1px); }
.beside .status { margin: 0; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin-block: 1.5rem 0; }

.field { max-width: 32rem; margin-block-end: 1.25rem; }
.field > label:not(.choice) { display: block; font-weight: 600; }
.field .hint { margin: .125rem 0 0; }
.field .error { margin: .375rem 0 0; color: var(--alert); font-size: var(--small); font-weight: 600; }

.banner { margin: 0 0 1.5rem; padding: .875rem 1.125rem; border-inline-start: 4px solid var(--accent); border-radius: .375rem; background: var(--wash); }
.banner.error { border-color: var(--alert); background: var(--alert-wash); }
.banner > :last-child { margin-bottom: 0; }
.banner li a { padding-block: .8125rem; color: var(--alert); font-weight: 600; }
.banner ul { margin: 0; padding: 0; list-style: none; }
.banner li { padding-block: .5rem; }

.panel { margin-block-end: 1.5rem; padding: clamp(1.125rem, 4vw, 1.75rem); border: 1px solid var(--line); border-radius: .875rem; background: var(--card); }

@media (max-width: 30rem) {
  :is(.tabs:not(.folders) ul, .languages) { flex-wrap: nowrap; max-width: 100%; overflow-x: auto; scrollbar-width: thin; white-space: nowrap; }
  :is(.tabs:not(.folders) li, .languages > *) { flex: none; }
  .languages { gap: .5rem; }
  :is(.tabs:not(.folders), .languages) :focus-visible { outline-offset: -4px; }
  .wide .top { gap: .25rem 0; }
  .wide .home { flex: 1; min-width: min-content; line-height: 1.3; }
  .top nav { display: contents; }
  .top nav::before { order: 1; flex-basis: 100%; content: ""; }
  .top nav :is(a, button) { order: 1; padding-inline: .5rem; }
  .top nav > :first-child { margin-inline-start: -.5rem; }
  .top nav .new { order: 0; margin-inline-start: auto; }
  .actions:not(.send) > :is(button, .button), .field, main form:not(.search) > button:not(.quiet), .after > button { width: 100%; }
}
@media (forced-colors: active) {
  .banner, .panel, button, .button { border: 1px solid; }
  .top nav :is(a, button) { border-color: transparent; }
}
@media print { .actions { display: none; } }
`)
