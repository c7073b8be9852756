import type { FilePlace, StoredSecret, TextPlace, UnstoredPlace, Uuid } from '@sotto/core'

/** The columns of a secret that hold ciphertexts. The last one is inside the wrapped key, `secret.wrap`. */
export type SecretColumn = 'secret.head' | 'secret.note' | 'secret.wrap' | 'secret.wrap.password'

/** The plain columns of a secret, without the key's number. */
export type PlainColumns = Omit<StoredSecret, 'kid' | 'headCiphertext'>

/** What a short text is bound to. */
export function textData({ column, accountId, rowId }: TextPlace | UnstoredPlace, kid: number): Buffer {
  return bytesOf(start(column) + field(accountId) + field(rowId) + field(String(kid)))
}

/** What a text that a token seals is bound to, besides the token. */
export function sealData(accountId: Uuid): Buffer {
  return bytesOf(start('token-seal') + field(accountId))
}

/** What the note is bound to, and the blob inside the wrapped key that the password protects: columns that never change. */
export function noteData(column: 'secret.note' | 'secret.wrap.password', id: Uuid, accountId: Uuid): Buffer {
  return bytesOf(start(column) + field(id) + field(accountId))
}

/** What each chunk of a file is bound to. */
export function fileData({ fileId, secretId, accountId }: FilePlace): Buffer {
  return bytesOf(start('file.content') + field(fileId) + field(secretId) + field(accountId))
}

/** What the wrapped key is bound to. */
export function wrappedKeyData(row: PlainColumns, kid: number): Buffer {
  return bytesOf(start('secret.wrap') + rowFields(row, kid))
}

/**
 * What the ciphertext of the head is bound to: everything that the wrapped key is bound to, and the other columns that the owner's lists
 * show.
 */
export function headData(row: PlainColumns, kid: number): Buffer {
  const linkCreatedAt = row.link === undefined ? '' : String(row.link.createdAtMicros)
  return bytesOf(
    start('secret.head') +
      rowFields(row, kid) +
      field(row.folderId) +
      field(String(row.createdAtMicros)) +
      field(linkCreatedAt),
  )
}

/** The fields of the row that was asked for last: head and wrapped key are usually asked for one after the other. */
let last: { readonly row: PlainColumns; readonly kid: number; readonly fields: string } | undefined

function rowFields(row: PlainColumns, kid: number): string {
  if (last?.row !== row || last.kid !== kid) last = { row, kid, fields: fieldsOf(row, kid) }
  return last.fields
}

function fieldsOf(row: PlainColumns, kid: number): string {
  const { id, accountId, openLimit, hasPassword, link } = row
  return (
    field(id) +
    field(accountId) +
    field(String(kid)) +
    field(link === undefined ? '' : hex(link.lookup)) +
    field(link === undefined ? '' : String(link.expiresAtMicros)) +
    field(openLimit === undefined ? '' : String(openLimit)) +
    field(hasPassword ? '1' : '0')
  )
}

// Fields are netstrings, each `length:field,`, so that no two lists of fields give the same bytes. In an intact row all are ASCII;
// numbers are decimal. An absent value is the empty field: no value is ever empty.

function start(column: string): string {
  return field('sotto/v1') + field(column)
}

function field(text: string): string {
  return `${text.length}:${text},`
}

function bytesOf(fields: string): Buffer {
  return Buffer.from(fields, 'utf8')
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
