import {
  attemptsOf,
  attemptsText,
  type Ciphertext,
  type FoundLink,
  type LinkChange,
  type LinkNotFound,
  type LinkRecord,
  type LinkStore,
  type NewTicket,
  type StorageError,
} from '@sotto/core'
import { displayNameColumns, displayNameOf, hasShownFiles, type DisplayNameRow } from '@sotto/storage-sql'
import { err, type Result, type ResultAsync } from 'neverthrow'
import { sqliteDialect } from '../engine/engine.ts'
import type { Connections } from '../connection/connections.ts'
import { formIdBytes, openTimeOf, uuidOf, withOpenTime } from '../engine/codec.ts'
import { createQueueEvent } from './events.ts'
import { createFilesOf } from '../files/secret-files.ts'
import {
  ciphertextOf,
  ciphertextsColumns,
  ciphertextsOf,
  createDestroyNotes,
  headColumn,
  linkedColumns,
  linkedOf,
  type CiphertextsRow,
  type LinkedRow,
  type More,
} from './secret-rows.ts'

/** The columns of a {@link LinkRecord}, in the order of {@link RecordRow}. The first parameter is the form's id or NULL. */
const recordColumns = `${linkedColumns}, s.nr, s.opens, s.attempts, s.has_note,
  EXISTS (SELECT 1 FROM opened_forms WHERE nr = s.nr AND form_id = ?), hex(s.account_id)`

type StateRow = [nr: number, opens: number, attempts: string | null, hasNote: number, formUsed: number]
type RecordRow = [...LinkedRow, ...StateRow, accountId: string]
type FoundRow = [...RecordRow, ...DisplayNameRow]
type NoteRow = [...FoundRow, ...CiphertextsRow]
/** Where the columns after those of {@link LinkedRow} are: rows are not taken apart, which copies them. */
const at = {
  nr: 9,
  opens: 10,
  attempts: 11,
  hasNote: 12,
  formUsed: 13,
  accountId: 14,
  nameId: 15,
  nameKid: 16,
  name: 17,
  hasShownFiles: 18,
  head: 19,
  ciphertexts: 18,
  headLength: 19,
  wrappedKeyLength: 20,
} as const

/** Whether the account of a row of `secrets` (as `s`) is there. One whose erasure has begun has no index of its name any more. */
const hasAccount = '(SELECT name_index IS NOT NULL FROM accounts WHERE id = s.account_id)'

/**
 * The row with a lookup, if it has its note, has not expired, and its account is there; the parameters are the lookup, the lookup again, and
 * the time. An absent row, and a row that does not qualify, cost the same: one search of the index and the reading of one row and of its
 * account. When there is no row with the lookup, the first of the table is read instead; the comparison of its lookup refuses it. The account
 * is looked up in each case, because `&`, unlike AND, evaluates both of its sides.
 */
const isLive = `s.nr = coalesce((SELECT nr FROM secrets WHERE lookup = ?), (SELECT min(nr) FROM secrets))
  AND ${hasAccount} & iif(s.lookup = ?, s.has_note & (s.expires_at > ?), 0)`
type LiveParameters = [formId: null, lookup: Uint8Array, sameLookup: Uint8Array, nowMicros: number]

export function createLinks(connections: Connections): LinkStore {
  const { db, read } = connections
  const foundColumns = `${recordColumns}, ${displayNameColumns(sqliteDialect, 's.account_id')}`
  const find = db
    .prepare<LiveParameters, [...FoundRow, hasShownFiles: number, head: Buffer | null]>(
      `SELECT ${foundColumns}, ${hasShownFiles}, ${headColumn} FROM secrets s WHERE ${isLive}`,
    )
    .raw()
  const filesOf = createFilesOf(connections)
  // Not a join: SQLite plans a join again each time it runs, which takes three times as long as running it.
  const prepareWithNote = (condition: string) =>
    db
      .prepare<LiveParameters, NoteRow>(
        `SELECT ${foundColumns}, ${ciphertextsColumns(condition)} FROM secrets s WHERE ${isLive}`,
      )
      .raw()
  const findWithAnyNote = prepareWithNote('true')
  const findWithOpenNote = prepareWithNote('NOT s.has_password')

  return {
    find: (lookup, nowMicros) =>
      read(() => {
        const row = find.get(null, lookup, lookup, nowMicros)
        if (row === undefined) return undefined
        const record = foundOf(lookup, row, ciphertextOf(row[at.head]))
        return row[at.hasShownFiles] === 0
          ? record
          : { ...record, shownFiles: filesOf(record.secret.id, 'shown') }
      }),

    findWithNote: (lookup, { nowMicros, evenWithPassword }) =>
      read(() => {
        const row = (evenWithPassword ? findWithAnyNote : findWithOpenNote).get(
          null,
          lookup,
          lookup,
          nowMicros,
        )
        if (row === undefined) return undefined
        const { headCiphertext, note } = ciphertextsOf([
          row[at.ciphertexts],
          row[at.headLength],
          row[at.wrappedKeyLength],
        ])
        const record = foundOf(lookup, row, headCiphertext)
        return { ...record, note: evenWithPassword || !record.secret.hasPassword ? note : undefined }
      }),

    update: createUpdate(connections),
  }
}

function createUpdate(connections: Connections): LinkStore['update'] {
  const { db, write } = connections
  const find = db
    .prepare<[Buffer | undefined, Uint8Array], RecordRow>(
      `SELECT ${recordColumns} FROM secrets s WHERE s.lookup = ? AND ${hasAccount}`,
    )
    .raw()
  const apply = createApply(connections)

  return <Change extends LinkChange, E>(
    lookup: Uint8Array,
    formId: string | undefined,
    decide: (record: LinkRecord) => Result<Change, E>,
  ): ResultAsync<Change, E | LinkNotFound | StorageError> =>
    write<Change, E | LinkNotFound>(() => {
      const form = formId === undefined ? undefined : formIdBytes(formId)
      const row = find.get(form, lookup)
      if (row === undefined) return err({ code: 'link_not_found' })
      const decision = decide(recordOf(lookup, row))
      if (decision.isOk()) apply(row, form, decision.value)
      return decision
    })
}

function createApply(
  connections: Connections,
): (row: RecordRow, form: Buffer | undefined, change: LinkChange) => void {
  const { db } = connections
  const setState = db.prepare('UPDATE secrets SET opens = ?, attempts = ? WHERE nr = ?')
  const setOpened = db.prepare(
    `UPDATE secrets SET opens = ?, attempts = ?, open_times = ${withOpenTime}, news = news + notify WHERE nr = ?`,
  )
  const destroyNote = createDestroyNotes(db, 'nr = ?')
  const rememberForm = db.prepare('INSERT OR IGNORE INTO opened_forms (nr, form_id) VALUES (?, ?)')
  const addTicket = createAddTicket(connections)
  const queueEvent = createQueueEvent(connections)

  return (row, form, change) => {
    const { [at.nr]: nr, [at.opens]: opens, [at.attempts]: attempts } = row
    const { openedAtMicros } = change
    const newOpens = change.opens ?? opens
    const newAttempts = change.attempts === undefined ? attempts : attemptsText(change.attempts)
    // The time is written in the statement of the open, so that it costs no write of its own.
    if (openedAtMicros !== undefined) setOpened.run(newOpens, newAttempts, openTimeOf(openedAtMicros), nr)
    else if (newOpens !== opens || newAttempts !== attempts) setState.run(newOpens, newAttempts, nr)
    if (change.rememberForm === true && form !== undefined) rememberForm.run(nr, form)
    if (change.ticket !== undefined) addTicket(nr, change.ticket)
    if (change.destroyNote === true && destroyNote(nr) > 0) connections.erased()
    if (change.events !== undefined) change.events.forEach(queueEvent)
  }
}

function createAddTicket({ db, erased }: Connections): (nr: number, ticket: NewTicket) => void {
  const eraseOthers = db.prepare(
    `DELETE FROM file_tickets WHERE digest IN
       (SELECT digest FROM file_tickets WHERE secret_id = (SELECT id FROM secrets WHERE nr = ?)
        ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
  )
  const insert = db.prepare(
    `INSERT INTO file_tickets (digest, secret_id, account_id, expires_at, sealed)
     SELECT ?, id, account_id, ?, ? FROM secrets WHERE nr = ?`,
  )
  return (nr, { digest, expiresAtMicros, sealed, othersMax }) => {
    if (eraseOthers.run(nr, othersMax).changes > 0) erased()
    insert.run(digest, expiresAtMicros, sealed, nr)
  }
}

function recordOf(lookup: Uint8Array, row: More<RecordRow>): LinkRecord {
  return {
    secret: linkedOf(uuidOf(row[at.accountId]), lookup, row),
    state: {
      opens: row[at.opens],
      hasNote: row[at.hasNote] === 1,
      attempts: attemptsOf(row[at.attempts]),
      formUsed: row[at.formUsed] === 1,
    },
  }
}

function foundOf(lookup: Uint8Array, row: More<FoundRow>, headCiphertext: Ciphertext): FoundLink {
  const { secret, state } = recordOf(lookup, row)
  const from = displayNameOf(sqliteDialect, [row[at.nameId], row[at.nameKid], row[at.name]])
  const found = { secret: { ...secret, headCiphertext }, state }
  return from === undefined ? found : { ...found, from }
}
