import { parseUuid, type Cursor } from '@sotto/core'

/** A position in a list, as the address of its next page has it. */
export function cursorText({ createdAtMicros, id }: Cursor): string {
  return `${String(createdAtMicros)}.${id}`
}

/** Reads what {@link cursorText} wrote; `undefined` when it is something else: the list then begins at its beginning. */
export function parseCursor(text: string | undefined): Cursor | undefined {
  const [, micros, id = ''] = /^(\d{1,16})\.(.{36})$/.exec(text ?? '') ?? []
  const uuid = parseUuid(id)
  return micros === undefined || uuid === undefined
    ? undefined
    : { createdAtMicros: Number(micros), id: uuid }
}

/** A position in a search: all secrets come before all drafts. */
export interface SearchCursor extends Cursor {
  readonly of: 'secrets' | 'drafts'
}

/** A position in a search, as its page has it in a form. */
export function searchCursorText(cursor: SearchCursor): string {
  return `${cursor.of}.${cursorText(cursor)}`
}

/** Reads what {@link searchCursorText} wrote; `undefined` when it is something else: the search then begins at its beginning. */
export function parseSearchCursor(text: string): SearchCursor | undefined {
  const [, of, position] = /^(secrets|drafts)\.(.*)$/.exec(text) ?? []
  const cursor = parseCursor(position)
  return cursor && { ...cursor, of: of === 'drafts' ? 'drafts' : 'secrets' }
}
