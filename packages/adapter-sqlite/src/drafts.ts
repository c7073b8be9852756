import type { DraftNotFound, DraftStore, KeyRetired } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { uuidBytes } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { positionOf } from './positions.ts'
import { noteColumns, noteOf, secretColumns, secretOf, type NoteRow, type SecretRow } from './secret-rows.ts'
import type { Storage } from './storage.ts'

const oneDraft = 'WHERE s.id = ? AND s.account_id = ? AND s.expires_at IS NULL'

export function createDrafts(storage: Storage, keyCheck: KeyCheck): DraftStore {
  const { reader, read, write } = storage
  const find = reader
    .prepare<[Buffer, Buffer], [...SecretRow, ...NoteRow]>(
      `SELECT ${secretColumns}, ${noteColumns} FROM secrets s ${oneDraft}`,
    )
    .raw()
  const slice = reader
    .prepare<[Buffer, number, Buffer, number], SecretRow>(
      `SELECT ${secretColumns} FROM secrets s
       WHERE account_id = ? AND expires_at IS NULL AND (created_at, id) > (?, ?)
       ORDER BY created_at, id LIMIT ?`,
    )
    .raw()

  const erase = storage.writer.prepare(
    'DELETE FROM secrets WHERE id = ? AND account_id = ? AND expires_at IS NULL',
  )

  return {
    find: (accountId, id) =>
      read(() => {
        const row = find.get(uuidBytes(id), uuidBytes(accountId))
        if (row === undefined) return undefined
        return { secret: secretOf(accountId, row), note: noteOf(row.slice(-2) as NoteRow) }
      }),

    slice: (accountId, after, limit) =>
      read(() =>
        slice.all(uuidBytes(accountId), ...positionOf(after), limit).map((row) => secretOf(accountId, row)),
      ),

    share: createShare(storage, keyCheck),

    erase: (accountId, id) =>
      write(() => {
        const isErased = erase.run(uuidBytes(id), uuidBytes(accountId)).changes > 0
        if (isErased) storage.erased()
        return ok(isErased)
      }),
  }
}

function createShare({ writer, write }: Storage, keyCheck: KeyCheck): DraftStore['share'] {
  const find = writer
    .prepare<[Buffer, Buffer], [nr: number, head: Buffer]>(
      `SELECT s.nr, c.head FROM secrets s JOIN ciphertexts c ON c.nr = s.nr ${oneDraft}`,
    )
    .raw()
  const shareSecret = writer.prepare(
    'UPDATE secrets SET lookup = ?, link_created_at = ?, expires_at = ?, kid = ? WHERE nr = ?',
  )
  const shareCiphertexts = writer.prepare('UPDATE ciphertexts SET head = ?, wrap = ? WHERE nr = ?')

  return ({ accountId, id, expectedHead }, link, { kid, head, wrap }) =>
    write<boolean, DraftNotFound | KeyRetired>(() => {
      const draft = find.get(uuidBytes(id), uuidBytes(accountId))
      if (draft === undefined) return err({ code: 'draft_not_found' })
      const [nr, currentHead] = draft
      if (!currentHead.equals(expectedHead)) return ok(false)
      const { lookup, createdAtMicros, expiresAtMicros } = link
      return keyCheck(kid, () => {
        shareSecret.run(lookup, createdAtMicros, expiresAtMicros, kid, nr)
        shareCiphertexts.run(head, wrap, nr)
      }).map(() => true)
    })
}
