import type { Cursor, FolderNotFound, SecretStore, StorageError, StoredShareableSecret } from '@sotto/core'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { fillBytes, shortNoteMaxBytes } from '../schema.ts'
import { uuidBytes } from './codec.ts'
import { createDropDeadRows } from './dead-rows.ts'
import type { KeyCheck } from './key-check.ts'
import { noBytes, secretColumns, shareableOf, type SecretRow } from './secret-rows.ts'

/** The most that one job erases, so that other writes do not wait long: bytes of long notes, and remembered forms. */
const erasedNoteBytesMax = 1_048_576
const erasedFormsMax = 2_000

export function createSecrets(connections: Connections, keyCheck: KeyCheck): SecretStore {
  const { reader, write, read } = connections
  const insert = createInsert(connections)
  const eraseSome = createEraseSome(connections)
  const dropDeadRows = createDropDeadRows(connections)
  const readPage = createReadPage(connections)
  // As with links: to find nothing costs one search of an index and the reading of one row, whatever the cause.
  const find = reader
    .prepare<[id: Buffer, sameId: Buffer, accountId: Buffer, nowMicros: number], SecretRow>(
      `SELECT ${secretColumns} FROM secrets s
       WHERE s.nr = coalesce((SELECT nr FROM secrets WHERE id = ?), (SELECT min(nr) FROM secrets))
         AND s.id = ? AND (s.account_id = ?) & (s.expires_at > ?)`,
    )
    .raw()

  return {
    insert: (secret, note) =>
      write(() =>
        keyCheck<FolderNotFound>(secret.kid, () => insert(secret, note), { code: 'folder_not_found' }),
      ),

    find: (accountId, id, nowMicros) =>
      read(() => {
        const key = uuidBytes(id)
        const row = find.get(key, key, uuidBytes(accountId), nowMicros)
        return row && shareableOf(accountId, row)
      }),

    page: (filter, after, limit) => read(() => readPage(filter, after, limit)),

    eraseExpired: (expiredByMicros, limit) =>
      new ResultAsync(eraseUpTo(limit, (most) => write(() => ok(eraseSome(expiredByMicros, most))))).andThen(
        // An error here changes nothing that matters: the rows of zeros are dropped at another time.
        (erased) => (erased < limit ? dropDeadRows() : okAsync()).orElse(() => ok()).map(() => erased),
      ),
  }
}

/** After every link: where the list begins. */
const newest: [number, Buffer] = [Number.MAX_SAFE_INTEGER, Buffer.alloc(17, 0xff)]

function createReadPage({
  reader,
}: Connections): (
  filter: Parameters<SecretStore['page']>[0],
  after: Cursor | undefined,
  limit: number,
) => readonly StoredShareableSecret[] {
  const prepare = (owned: string) =>
    reader
      .prepare<(Buffer | number)[], SecretRow>(
        `SELECT ${secretColumns} FROM secrets s
         WHERE ${owned} AND expires_at > ? AND (link_created_at, id) < (?, ?)
         ORDER BY link_created_at DESC, id DESC LIMIT ?`,
      )
      .raw()
  const ofAccount = prepare('account_id = ?')
  // The unary plus keeps SQLite from using the folder's index, which would have to be sorted.
  const ofFolder = prepare('account_id = ? AND +folder_id = ?')
  return ({ accountId, folderId, nowMicros }, after, limit) => {
    const account = uuidBytes(accountId)
    const cursor = after === undefined ? newest : ([after.createdAtMicros, uuidBytes(after.id)] as const)
    const rows =
      folderId === undefined
        ? ofAccount.all(account, nowMicros, ...cursor, limit)
        : ofFolder.all(account, uuidBytes(folderId), nowMicros, ...cursor, limit)
    return rows.map((row) => shareableOf(accountId, row))
  }
}

function createInsert({ writer }: Connections): (...row: Parameters<SecretStore['insert']>) => void {
  // The secret's number comes from this row. The last rows stay when their secrets are erased, so no number is used twice.
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
  /** Whether there may be more, because only the bound of one job was reached. */
  readonly more: boolean
}

function createEraseSome(connections: Connections): (expiredByMicros: number, limit: number) => Erased {
  const { writer } = connections
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
      connections.erased()
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
