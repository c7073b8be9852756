import type { Ciphertext } from '@sotto/core'
import type { Connections } from '../file/connections.ts'

/** The text whose number is in `column`, as an SQL expression. NULL when it is missing: see `ciphertextOf`. */
export const textIn = (column: string): string => `(SELECT text FROM texts WHERE nr = ${column})`

/**
 * Makes the function that stores a short encrypted text, inside a job, and returns its number for the row that it belongs to. When that
 * row is deleted, a trigger erases the text.
 */
export function createInsertText({ writer }: Pick<Connections, 'writer'>): (text: Ciphertext) => number {
  const insert = writer.prepare<[Uint8Array]>('INSERT INTO texts (text) VALUES (?)')
  return (text) => Number(insert.run(text).lastInsertRowid)
}

/**
 * Makes the function that erases the text of the row `id`, inside a job, and stores another one for it, of any length. Returns the number
 * of that, to be written into the column.
 */
export function createPutText(
  { writer }: Pick<Connections, 'writer'>,
  { table, column }: { readonly table: string; readonly column: string },
): (id: Buffer, text: Ciphertext) => number {
  const erase = writer.prepare<[Buffer]>(
    `UPDATE texts SET text = zeroblob(length(text)) WHERE nr = (SELECT ${column} FROM ${table} WHERE id = ?)`,
  )
  const insert = createInsertText({ writer })
  return (id, text) => {
    erase.run(id)
    return insert(text)
  }
}
