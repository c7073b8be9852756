import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, StorageError } from '../errors.ts'
import type { StoredWrap } from '../ports/key-store.ts'
import type { Ports } from '../ports/ports.ts'
import type { StoredNote } from '../ports/secret-store.ts'
import { textColumns } from '../ports/text-columns.ts'

/** Rows read at once. */
const batchSize = 50

/** No key has this number, so the rows that are not under it are all rows. */
const noKid = 0

export type FindDamageDeps = Pick<Ports, 'rewraps' | 'drafts' | 'links' | 'textCipher' | 'secretCipher'>
export type FindDamageError = StorageError

/**
 * Authenticates everything that is encrypted: each text, head and wrap, and the notes without a password. Of a note with a password only
 * the wrap's outer layer can be checked. Ok with an error for each damaged row, texts first. Reads all rows, in pages: for a command.
 */
export function findDamage(deps: FindDamageDeps): ResultAsync<readonly DecryptError[], FindDamageError> {
  return new ResultAsync(find(deps))
}

async function find(deps: FindDamageDeps): Promise<Result<readonly DecryptError[], StorageError>> {
  const damage: DecryptError[] = []
  for (const column of textColumns) {
    const done = await everyRow(
      (after) => deps.rewraps.texts(column, noKid, after, batchSize),
      ({ place }) => place.rowId,
      ({ place, encrypted }) => Promise.resolve(ok(errorOf(deps.textCipher.decryptText(place, encrypted)))),
      damage,
    )
    if (done.isErr()) return err(done.error)
  }
  const done = await everyRow(
    (after) => deps.rewraps.secrets(noKid, after, batchSize),
    ({ secret }) => secret.id,
    (stored) => checkSecret(deps, stored),
    damage,
  )
  return done.isErr() ? err(done.error) : ok(damage)
}

async function everyRow<Row>(
  read: (after: Uuid | undefined) => ResultAsync<readonly Row[], StorageError>,
  idOf: (row: Row) => Uuid,
  check: (row: Row) => Promise<Result<DecryptError | undefined, StorageError>>,
  damage: DecryptError[],
): Promise<Result<void, StorageError>> {
  let after: Uuid | undefined
  for (;;) {
    const rows = await read(after)
    if (rows.isErr()) return err(rows.error)
    for (const row of rows.value) {
      const checked = await check(row)
      if (checked.isErr()) return err(checked.error)
      if (checked.value !== undefined) damage.push(checked.value)
    }
    const last = rows.value.at(-1)
    if (last === undefined || rows.value.length < batchSize) return ok()
    after = idOf(last)
  }
}

async function checkSecret(
  deps: FindDamageDeps,
  { secret, wrap }: StoredWrap,
): Promise<Result<DecryptError | undefined, StorageError>> {
  const { secretCipher } = deps
  const head = secretCipher.decryptHead(secret)
  if (head.isErr()) return ok(head.error)
  if (wrap === undefined) return ok(undefined)
  // Decrypts the wrap's outer layer; what it encrypts again is not stored.
  const rebound = secretCipher.rebind({ from: secret, wrap, link: secret.link, head: head.value })
  if (rebound.isErr() || secret.hasPassword) return ok(errorOf(rebound))
  const stored = await readNote(deps, { secret, wrap })
  if (stored.isErr()) return err(stored.error)
  // It was opened for the last time, shared or deleted in the meantime.
  if (stored.value === undefined) return ok(undefined)
  const note = await secretCipher.decryptNote(secret, stored.value, undefined)
  return ok(note.isErr() && isDamage(note.error) ? note.error : undefined)
}

/** The note, as long as the row has the wrap that was read before. */
async function readNote(
  { drafts, links }: FindDamageDeps,
  { secret, wrap }: StoredWrap,
): Promise<Result<StoredNote | undefined, StorageError>> {
  const found =
    secret.link === undefined
      ? await drafts.find(secret.accountId, secret.id)
      : await links.findWithNote(secret.link.lookup)
  const isSame = (note: StoredNote): boolean => note.wrap.every((byte, at) => byte === wrap?.[at])
  return found.map((row) => (row !== undefined && isSame(row.note) ? row.note : undefined))
}

function errorOf(result: Result<unknown, DecryptError>): DecryptError | undefined {
  return result.isErr() ? result.error : undefined
}

function isDamage(error: { readonly code: string }): error is DecryptError {
  return error.code === 'data_damaged' || error.code === 'key_unknown'
}
