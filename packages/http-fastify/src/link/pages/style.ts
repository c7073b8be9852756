import { styleSheet } from '../../design/embedded.ts'
import { noteRules } from '../../design/note-rules.ts'

/** What only the pages of links have. */
export const linkStyle = styleSheet(`
.title { margin-bottom: .375rem; color: var(--soft); font-size: var(--small); }
.points { margin: 0; padding: 0; list-style: none; }
.points li { position: relative; margin-bottom: .625rem; padding-inline-start: 1.375rem; }
.points li:last-child { margin-bottom: 0; }
.points li::before {
  content: "";
  position: absolute;
  inset-block-start: .6em;
  inset-inline-start: 0;
  width: .5rem;
  height: .5rem;
  border-radius: 50%;
  background: var(--accent);
}
.last { padding: .875rem 1.125rem; border-inline-start: 4px solid var(--accent); border-radius: .375rem; background: var(--wash); }
form { margin-bottom: 1.25rem; }
form button, .button { margin-top: .75rem; }
@media (max-width: 30rem) { form button, .button { width: 100%; } }
${noteRules}`)
