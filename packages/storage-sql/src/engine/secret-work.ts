import type { StoredNote, StoredSecret } from '@sotto/core'
import type { SqlValue, Work } from './engine.ts'

// Each database has the tables of secrets in a form of its own, so an adapter brings the work that changes them.

/** Adds a secret or a draft, inside work that writes. */
export type InsertSecret = (secret: StoredSecret, note: StoredNote) => Work<void>

/**
 * Erases secrets and drafts of an account or a folder, expired ones included, inside work that writes. It says how many it found, at most
 * `most`, and how many of these it has erased: fewer when it reached a bound of one transaction.
 */
export type EraseSecrets = (
  of: 'account_id' | 'folder_id',
  id: SqlValue,
  most: number,
) => Work<{ readonly found: number; readonly erased: number }>
