import type { StoredSecret, TextPlace, Uuid } from '@sotto/core'

/** The columns of a secret that hold ciphertexts. The last one lies inside `secret.wrap`. */
export type SecretColumn = 'secret.head' | 'secret.note' | 'secret.wrap' | 'secret.wrap.password'

/** The plain columns of a secret, the key aside. */
export type PlainColumns = Omit<StoredSecret, 'kid' | 'head'>

/** What a short text is bound to. */
export function textData({ column, accountId, rowId }: TextPlace, kid: number): Buffer {
  return netstrings(['sotto/v1', column, accountId, rowId, String(kid)])
}

/** What the note and, within the wrap, that which the password protects are bound to: things that never change. */
export function noteData(column: 'secret.note' | 'secret.wrap.password', id: Uuid, accountId: Uuid): Buffer {
  return netstrings(['sotto/v1', column, id, accountId])
}

/** What the wrap is bound to. */
export function wrapData(row: PlainColumns, kid: number): Buffer {
  return netstrings(wrapFields('secret.wrap', row, kid))
}

/** What the head is bound to: all that the wrap is, and what else the owner's lists show. */
export function headData(row: PlainColumns, kid: number): Buffer {
  return netstrings([
    ...wrapFields('secret.head', row, kid),
    row.folderId,
    String(row.createdAtMicros),
    row.link === undefined ? '' : String(row.link.createdAtMicros),
  ])
}

function wrapFields(column: SecretColumn, row: PlainColumns, kid: number): string[] {
  const { id, accountId, openLimit, hasPassword, link } = row
  return [
    'sotto/v1',
    column,
    id,
    accountId,
    String(kid),
    link === undefined ? '' : hex(link.lookup),
    link === undefined ? '' : String(link.expiresAtMicros),
    String(openLimit),
    hasPassword ? '1' : '0',
  ]
}

/**
 * Fields, each as `length:field,`, so that no two lists of fields give the same bytes. All fields are ASCII in an undamaged row;
 * numbers are decimal. An absent field is the empty one: no field that is present is ever empty.
 */
function netstrings(fields: readonly string[]): Buffer {
  let text = ''
  for (const field of fields) text += `${field.length}:${field},`
  return Buffer.from(text, 'utf8')
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
