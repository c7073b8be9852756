import {
  secretLifetimeMicros,
  type FolderNotFound,
  type SecretStore,
  type StorageError,
  type TimePosition,
} from '@sotto/core'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import { uuidBytes } from './codec.ts'
import { createDropDeadRows } from './dead-rows.ts'
import type { KeyCheck } from './key-check.ts'
import { noBytes, secretColumns, secretOf, shareableOf, type SecretRow } from './secret-rows.ts'
import { fillBytes, shortNoteMaxBytes } from './schema.ts'
import type { Storage } from './storage.ts'

/** Erased in one job at most, so that others do not wait long: bytes of long notes, and forms that were remembered. */
const erasedNoteBytesMax = 1_048_576
const erasedFormsMax = 2_000

export function createSecrets(storage: Storage, keyCheck: KeyCheck): SecretStore {
  const { reader, write, read } = storage
  const insert = createInsert(storage)
  const eraseSome = createEraseSome(storage)
  const dropDeadRows = createDropDeadRows(storage)
  const find = reader
    .prepare<[Buffer, Buffer], SecretRow>(
      `SELECT ${secretColumns} FROM secrets s WHERE id = ? AND account_id = ?`,
    )
    .raw()
  const slice = reader
    .prepare<[Buffer, number, number, Buffer, number], SecretRow>(
      `SELECT ${secretColumns} FROM secrets s
       WHERE account_id = ? AND expires_at > ? AND (expires_at, id) < (?, ?)
       ORDER BY expires_at DESC, id DESC LIMIT ?`,
    )
    .raw()

  return {
    insert: (secret, note) =>
      write(() =>
        keyCheck<FolderNotFound>(secret.kid, () => insert(secret, note), { code: 'folder_not_found' }),
      ),

    find: (accountId, id) =>
      read(() => {
        const row = find.get(uuidBytes(id), uuidBytes(accountId))
        return row && secretOf(accountId, row)
      }),

    slice: (accountId, nowMicros, after, limit) =>
      read(() =>
        slice
          .all(uuidBytes(accountId), nowMicros, ...expiryPositionOf(after), limit)
          .map((row) => shareableOf(accountId, row)),
      ),

    eraseExpired: (expiredByMicros, limit) =>
      new ResultAsync(eraseUpTo(limit, (most) => write(() => ok(eraseSome(expiredByMicros, most))))).andThen(
        // Nothing depends on it: what could not be done now is done another time.
        (erased) => (erased < limit ? dropDeadRows() : okAsync()).orElse(() => ok()).map(() => erased),
      ),
  }
}

/** Behind every expiry: the list begins there. */
const newest: [number, Buffer] = [Number.MAX_SAFE_INTEGER, Buffer.alloc(17, 0xff)]

/** The expiry follows the link's creation, so the index on it serves the order too. */
function expiryPositionOf(after: TimePosition | undefined): [expiresAt: number, id: Buffer] {
  return after === undefined ? newest : [after.createdAtMicros + secretLifetimeMicros, uuidBytes(after.id)]
}

function createInsert({ writer }: Storage): (...row: Parameters<SecretStore['insert']>) => void {
  // Its number comes from this row: the last ones stay when their secrets are erased, so no number ever comes back.
  const insertCiphertexts = writer.prepare('INSERT INTO ciphertexts (head, wrap, note) VALUES (?, ?, ?)')
  const insertSecret = writer.prepare(
    `INSERT INTO secrets (nr, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit,
       notify, has_password, kid, lookup) VALUES (last_insert_rowid(), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertLongNote = writer.prepare(
    `INSERT INTO long_notes (nr, fill, note) VALUES (last_insert_rowid(), zeroblob(${fillBytes}), ?)`,
  )
  return (secret, { note, wrap }) => {
    const { id, accountId, folderId, createdAtMicros, openLimit, notify, hasPassword, link, kid, head } =
      secret
    const isShort = note.length <= shortNoteMaxBytes
    insertCiphertexts.run(head, wrap, isShort ? note : noBytes)
    insertSecret.run(
      uuidBytes(id),
      uuidBytes(accountId),
      uuidBytes(folderId),
      createdAtMicros,
      link?.createdAtMicros,
      link?.expiresAtMicros,
      openLimit,
      Number(notify),
      Number(hasPassword),
      kid,
      link?.lookup,
    )
    if (!isShort) insertLongNote.run(note)
  }
}

interface Erased {
  readonly secrets: number
  /** Whether there may be more: only the bound of one job has been reached. */
  readonly more: boolean
}

function createEraseSome(storage: Storage): (expiredByMicros: number, limit: number) => Erased {
  const { writer } = storage
  const expired = writer
    .prepare<[number, number], [nr: number, noteBytes: number]>(
      `SELECT s.nr, coalesce(octet_length(n.note), 0) FROM secrets s LEFT JOIN long_notes n ON n.nr = s.nr
       WHERE s.expires_at <= ? ORDER BY s.expires_at LIMIT ?`,
    )
    .raw()
  const eraseForms = writer.prepare('DELETE FROM opened_forms WHERE nr = ? ORDER BY nr, form_id LIMIT ?')
  const eraseSecret = writer.prepare('DELETE FROM secrets WHERE nr = ?')

  return (expiredByMicros, limit) => {
    const rows = expired.all(expiredByMicros, limit)
    let [secrets, bytes, forms] = [0, 0, 0]
    for (const [nr, noteBytes] of rows) {
      forms += eraseForms.run(nr, erasedFormsMax - forms).changes
      if (forms >= erasedFormsMax) return { secrets, more: true }
      eraseSecret.run(nr)
      storage.erased()
      secrets += 1
      bytes += noteBytes
      if (bytes >= erasedNoteBytesMax) return { secrets, more: true }
    }
    return { secrets, more: false }
  }
}

async function eraseUpTo(
  limit: number,
  eraseSome: (most: number) => ResultAsync<Erased, StorageError>,
): Promise<Result<number, StorageError>> {
  let erased = 0
  for (;;) {
    const some = await eraseSome(limit - erased)
    if (some.isErr()) return err(some.error)
    erased += some.value.secrets
    if (erased >= limit || !some.value.more) return ok(erased)
  }
}
