import type { Uuid } from './uuid.ts'

/**
 * Every column that holds a short encrypted text. Key rotation goes through this list, and every storage adapter has a registry with an
 * entry for each: a new encrypted column is one line here and one line there. No two of them are in one row: a row has one `kid`, and a
 * rotation replaces the texts of one column after the other.
 */
export const textColumns = [
  'account.name',
  'folder.label',
  'access_token.name',
  'account.password',
  'webhook.endpoint',
  'account.display_name',
  'session.name',
  'request.content',
  'identity.name',
  'passkey.name',
  'file.about',
] as const

/** One of {@link textColumns}. */
export type TextColumn = (typeof textColumns)[number]

/** Where a short text is stored. A ciphertext that is read at any other place is corrupted. */
export interface TextPlace {
  readonly column: TextColumn
  readonly accountId: Uuid
  /** The id of the row that holds it. */
  readonly rowId: Uuid
}

/**
 * The purpose of a short text that is stored nowhere: `sso.attempt` is in the cookie of a browser that has gone to the identity provider,
 * `draft.files` in the form of a draft.
 */
export interface UnstoredPlace extends Omit<TextPlace, 'column'> {
  readonly column: 'sso.attempt' | 'draft.files'
}
