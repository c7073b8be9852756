import {
  nilUuid,
  type FoundLink,
  type FoundNote,
  type LinkStore,
  type NoteQuery,
  type PreviewedLink,
  type StorageError,
} from '@sotto/core'
import {
  displayNameColumns,
  displayNameOf,
  filesOf,
  hasShownFiles,
  type DisplayNameRow,
} from '@sotto/storage-sql'
import { ok, type ResultAsync } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { createBatchedReads, type BatchedReads, type Question } from '../connection/batched-reads.ts'
import { unnest } from '../connection/sql.ts'
import { postgresDialect, run } from '../engine/engine.ts'
import { ciphertextOf, keyOf } from '../engine/codec.ts'
import { createKnownLinks, type KnownLinks } from './known-links.ts'
import { recordColumns, recordOf, type RecordRow } from './link-rows.ts'
import { createUpdate, type UpdateOptions } from './link-updates.ts'
import { noteOf, type NoteRow } from './secret-rows.ts'

/**
 * Finds for each lookup the row that has it, if it has its note, has not expired, and its account is there; the parameters are the id of
 * the row that stands in, the lookups, and the times. An absent row, and one that does not qualify, cost the same: two searches of an index
 * and the reading of one row and of its account. When there is no row with the lookup, another one is read instead; the comparison of its
 * lookup refuses it. Only the search for the lookup looks at one page more, which the row is read from next, when it finds one. `&`, unlike
 * AND, evaluates both sides. LIMIT keeps the planner from joining whole tables.
 */
const findWith = (
  columns: string,
  asked: string,
) => `SELECT asked.nr, found.* FROM ${asked} CROSS JOIN LATERAL (
    SELECT ${columns} FROM secrets s WHERE s.id = coalesce((SELECT id FROM secrets WHERE lookup = asked.lookup), $1::uuid)
      AND (SELECT name_index IS NOT NULL FROM accounts WHERE id = s.account_id)::integer
        & (s.lookup = asked.lookup)::integer & (s.wrap IS NOT NULL)::integer & (s.expires_at > asked.at)::integer = 1
    LIMIT 1) found`

const foundColumns = `s.head, ${displayNameColumns(postgresDialect, 's.account_id')}, ${recordColumns}`
type FoundRow = [head: Uint8Array, ...DisplayNameRow, ...RecordRow]

const find = {
  name: 'links_find',
  text: findWith(
    `${hasShownFiles}, ${foundColumns}`,
    `${unnest(['bytea', 'bigint'], 2)} WITH ORDINALITY AS asked (lookup, at, nr)`,
  ),
}
/** The note of a secret with a password, which may be long, is read only when the last parameter says so. */
const findWithNote = {
  name: 'links_find_with_note',
  text: findWith(
    `${['wrap', 'note'].map((column) => `CASE WHEN asked.even OR NOT s.has_password THEN s.${column} END`).join(', ')}, ${foundColumns}`,
    `${unnest(['bytea', 'bigint', 'boolean'], 2)} WITH ORDINALITY AS asked (lookup, at, even, nr)`,
  ),
}

/** How many callers share a statement that reads notes, which may be long. */
const notesMax = 32

interface Wanted extends NoteQuery {
  readonly lookup: Uint8Array
}
type NotePart = [wrap: NoteRow[0], note: NoteRow[1]]

interface LinksOptions extends Pick<UpdateOptions, 'retryMillis'> {
  readonly reads?: BatchedReads
  readonly known?: KnownLinks
}

export function createLinks(
  db: Database,
  { reads = createBatchedReads(db), known = createKnownLinks(), ...options }: LinksOptions = {},
): LinkStore {
  // The row that stands in is the one that was found last. Right after the start there is none, until a link is found.
  let standIn = nilUuid
  const found = (
    [head, id, kid, name, ...row]: FoundRow,
    { lookup, nowMicros }: Wanted,
  ): FoundLink | undefined => {
    const [version] = row
    const record = recordOf(lookup, row)
    standIn = record.secret.id
    known.remember(keyOf(lookup), { version, record, usedForms: [] })
    // The statement asks for the caller who shares this row and whose time is the earliest.
    if (record.secret.link.expiresAtMicros <= nowMicros) return undefined
    const from = displayNameOf(postgresDialect, [id, kid, name])
    const link = { ...record, secret: { ...record.secret, headCiphertext: ciphertextOf(head) } }
    return from === undefined ? link : { ...link, from }
  }
  const valuesOf = (questions: readonly Question<Wanted>[]) => [
    standIn,
    questions.map(([{ lookup }]) => lookup),
    questions.map((callers) => Math.min(...callers.map(({ nowMicros }) => nowMicros))),
  ]
  const read = reads.batch({
    ...{ statement: find, valuesOf, keyOf: ({ lookup }: Wanted) => keyOf(lookup) },
    answerOf(row: [hasFiles: boolean, ...FoundRow] | undefined, wanted) {
      if (row === undefined) return undefined
      const [hasFiles, ...columns] = row
      const link = found(columns, wanted)
      return link && { link, hasFiles }
    },
  })
  const readWithNote = reads.batch({
    ...{ statement: findWithNote, sizeMax: notesMax },
    keyOf: ({ lookup, evenWithPassword }: Wanted) => `${keyOf(lookup)} ${evenWithPassword}`,
    valuesOf: (questions) => [
      ...valuesOf(questions),
      questions.map(([{ evenWithPassword }]) => evenWithPassword),
    ],
    answerOf(row: [...NotePart, ...FoundRow] | undefined, wanted): FoundNote | undefined {
      if (row === undefined) return undefined
      const [wrappedKey, sealed, ...columns] = row
      const link = found(columns, wanted)
      return link && { ...link, note: noteOf([wrappedKey, sealed]) }
    },
  })
  return {
    find: (lookup, nowMicros) =>
      read({ lookup, nowMicros, evenWithPassword: false }).andThen((asked) =>
        asked?.hasFiles === true ? withShownFiles(db, asked.link) : ok(asked?.link),
      ),
    findWithNote: (lookup, query) => readWithNote({ lookup, ...query }),
    update: createUpdate(db, { ...options, known }),
  }
}

function withShownFiles(db: Database, link: FoundLink): ResultAsync<PreviewedLink, StorageError> {
  return db
    .read((sql) => run(sql, filesOf(postgresDialect, link.secret.id, 'shown')))
    .map((shownFiles) => (shownFiles.length === 0 ? link : { ...link, shownFiles }))
}
