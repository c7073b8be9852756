import type { Letter } from './letter.ts'

/** A letter as plain text. Each part is a paragraph of its own. */
export function textOf({ name, heading, paragraphs, facts, action, notes }: Letter): string {
  const parts = [
    name,
    heading,
    ...paragraphs,
    facts.map(({ term, value }) => `${term}: ${value}`).join('\n'),
    action && `${action.text}:\n${action.url}`,
    notes.length > 0 ? '--' : undefined,
    ...notes,
  ]
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`
}
