import { styleSheet } from '@sotto/html'

/** What only the page of a request has. */
export const requestStyle = styleSheet(`
.asked { margin-block: 0 1rem; padding: .875rem 1.125rem; border-inline-start: 4px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
textarea { min-height: 10rem; margin-block-end: .5rem; font: 1rem/1.6 var(--mono); resize: vertical; }
.error { margin: .375rem 0 0; color: var(--alert); font-size: var(--small); font-weight: 600; }
`)
