import { copyRules, formRules, noteRules, readingRules, styleSheet } from '@sotto/html'

/** What all pages of links have. */
export const linkStyle = styleSheet(`
.lead { color: var(--soft); }
.envelope { display: block; width: 7.5rem; margin-block-end: 1.25rem; fill: var(--paper); stroke: var(--edge); stroke-width: 1.5; stroke-linejoin: round; }
.button { margin-top: .75rem; }
main > p:not([class]) { margin-bottom: .625rem; }
`)

/** What those with a form have besides. */
export const linkFormStyle = styleSheet(`${formRules}
.alert { margin: 1.25rem 0; padding: .875rem 1.125rem; border-inline-start: 4px solid var(--alert); border-radius: .375rem; background: var(--alert-wash); }
.alert a { padding-block: .8125rem; color: var(--alert); font-weight: 600; }
@media (max-width: 30rem) { main:has([type=password]) .envelope { display: none; } }
form { margin-bottom: 1.5rem; }
#password { margin-block-end: .5rem; }
[data-peek] { margin-inline: -.8rem; }
form > [type=submit] { width: 100%; margin-top: .75rem; }
`)

/** What those with a message have besides. */
export const messageStyle = styleSheet(`${readingRules}
.letter { display: flex; align-items: center; gap: 1.25rem; margin-bottom: 1.25rem; }
.letter > div { min-width: 0; }
.letter h1 { margin: 0; }
.letter .envelope { flex: none; width: 3.75rem; margin: 0; }
.title { margin: 0; color: var(--soft); }
.last { margin-block: 0; padding: 1rem var(--inset); background: var(--final-wash); color: var(--final); font-weight: 600; }
.after { margin-block: 1rem 0; color: var(--soft); }
${copyRules}
${noteRules}`)
