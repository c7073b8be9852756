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
