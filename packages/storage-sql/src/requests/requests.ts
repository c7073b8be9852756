import {
  nilUuid,
  noAttempts,
  type AnswerChange,
  type Answerer,
  type Cursor,
  type FolderNotFound,
  type FoundRequest,
  type NamedRequest,
  type KeyRetired,
  type NewDraft,
  type RequestFilter,
  type RequestNotFound,
  type RequestRecord,
  type RequestStore,
  type StorageUnavailable,
  type StoredRequest,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { attemptsIn, lockAttempts, storeAttempts } from '../quota/attempts.ts'
import { maxUuid, underKey } from '../engine/codec.ts'
import { displayNameColumns, displayNameOf, type DisplayNameRow } from '../accounts/display-names.ts'
import {
  changes,
  countOf,
  exists,
  row,
  rows,
  type Dialect,
  type Engine,
  type SqlValue,
  type Work,
} from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { changeFiles } from '../files/secret-files.ts'
import type { InsertSecret } from '../engine/secret-work.ts'
import { queueEvent } from '../shared/events.ts'
import { requestTables } from './tables.ts'

type RequestRow = StoredRequest & RequestRecord['state']

const requestRows = rowsOf(requestTables.requests).as<RequestRow, { readonly digest: Uint8Array }>(
  {
    id: 'id',
    accountId: 'account_id',
    folderId: 'folder_id',
    createdAtMicros: 'created_at',
    closesAtMicros: 'closes_at',
    answersAllowed: 'answers_allowed',
    notify: 'notify',
    takesFiles: 'takes_files',
    content: 'content',
    answers: 'answers',
    closedAtMicros: 'closed_at',
  },
  { digest: 'digest' },
)

/** Whether a request can still be answered. @param at the parameter with the time */
export const isOpen = (at: string): string =>
  `closed_at IS NULL AND closes_at > ${at} AND answers < answers_allowed`

const hasEnabledAccount =
  'EXISTS (SELECT 1 FROM accounts WHERE id = r.account_id AND name_index IS NOT NULL AND disabled_at IS NULL)'

/** The requests, and the forms that have answered them. */
export function createRequests(engine: Engine, insertSecret: InsertSecret): RequestStore {
  const { dialect, find, list, write } = engine
  const { id } = dialect
  const requests = requestRows(dialect)
  const select = `SELECT ${requests.columns} FROM requests r`
  const read = (found: readonly unknown[]) => recordOf(requests.read(found))
  const one = `${select} WHERE r.id = $1 AND r.account_id = $2 AND r.closes_at > $3`
  const inAccount = `r.account_id = $1 AND r.closes_at > $2`
  const some = `${inAccount} AND (r.created_at, r.id) < ($3, $4)`
  const newest = 'ORDER BY r.created_at DESC, r.id DESC LIMIT $5'
  const filterOf = ({ accountId, folderId, nowMicros }: RequestFilter) => ({
    values: [id.in(accountId), nowMicros],
    folder: folderId === undefined ? [] : [id.in(folderId)],
  })
  return {
    insert: (request, digest) =>
      write(function* (): Work<Result<void, FolderNotFound | KeyRetired>> {
        const [folder, account] = [id.in(request.folderId), id.in(request.accountId)]
        if (!(yield* exists('SELECT 1 FROM folders WHERE id = $1 AND account_id = $2', folder, account)))
          return err({ code: 'folder_not_found' })
        const added = { ...request, answers: 0, closedAtMicros: undefined, digest }
        return yield* underKey(engine, request.content.kid, () => requests.insert(added))
      }),

    find: (accountId, requestId, nowMicros) =>
      find(one, [id.in(requestId), id.in(accountId), nowMicros], read),

    page: (filter, after, limit) => {
      const { values, folder } = filterOf(filter)
      const inFolder = folder.length === 0 ? '' : ' AND r.folder_id = $6'
      return list(
        `${select} WHERE ${some}${inFolder} ${newest}`,
        [...values, ...endOf(dialect, after), limit, ...folder],
        read,
      )
    },

    countOpen: (filter) => {
      const { values, folder } = filterOf(filter)
      const inFolder = folder.length === 0 ? '' : ' AND r.folder_id = $3'
      const open = `SELECT count(*) FROM requests r WHERE r.account_id = $1 AND ${isOpen('$2')}${inFolder}`
      return engine.read(() => countOf(open, ...values, ...folder))
    },

    close: (accountId, requestId, nowMicros) =>
      engine
        .change(
          'UPDATE requests SET closed_at = coalesce(closed_at, $3) WHERE id = $1 AND account_id = $2 AND closes_at > $3',
          ...[id.in(requestId), id.in(accountId), nowMicros],
        )
        .map((count) => count > 0),

    findByDigest: (digest, nowMicros, answerer = {}) =>
      engine.read(() => findToAnswer(dialect, digest, nowMicros, answerer)),

    answer: createAnswer(engine, insertSecret),

    eraseIn: (accountId, folderId, limit) =>
      write(function* () {
        const folder = id.in(folderId)
        if (
          !(yield* exists(
            'SELECT 1 FROM folders WHERE id = $1 AND account_id = $2',
            folder,
            id.in(accountId),
          ))
        )
          return ok(0)
        engine.erased()
        return ok(yield* eraseRequests('folder_id', folder, limit))
      }),

    eraseExpired: (closedByMicros, limit, report) =>
      write(function* () {
        const over = yield* rows(
          `${select} WHERE r.closes_at <= $1 ORDER BY r.closes_at LIMIT $2`,
          ...[closedByMicros, limit],
        )
        for (const each of over) {
          const { request, state } = read(each)
          const isReported = request.notify && state.answers === 0 && state.closedAtMicros === undefined
          if (isReported) yield* queueEvent(dialect, report(request))
          yield* changes('DELETE FROM requests WHERE id = $1', id.in(request.id))
        }
        if (over.length > 0) engine.erased()
        return ok(over.length)
      }),
  }
}

/** Erases at most `limit` requests of an account or a folder, inside work that writes. */
export function eraseRequests(of: 'account_id' | 'folder_id', owner: SqlValue, limit: number): Work<number> {
  return changes(
    `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE ${of} = $1 LIMIT $2)`,
    owner,
    limit,
  )
}

/** The parameters of `(time, id) < ($3, $4)`, by which a descending list continues after a cursor. */
function endOf({ id }: Dialect, after: Cursor | undefined): readonly SqlValue[] {
  return after === undefined
    ? [Number.MAX_SAFE_INTEGER, id.in(maxUuid)]
    : [after.createdAtMicros, id.in(after.id)]
}

function recordOf({ answers, closedAtMicros, ...request }: RequestRow): RequestRecord {
  return { request, state: { answers, closedAtMicros } }
}

/** A form's id, 32 hexadecimal digits, as a UUID: so a database spells it. */
function uuidOfForm(formId: string): string {
  return formId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Finding nothing costs one search of an index and the reading of one row, whatever the cause: where there is no digest, another row is
 * read. `IS TRUE` keeps a planner from using the conditions before the row is read.
 */
function* findToAnswer(
  dialect: Dialect,
  digest: Uint8Array,
  nowMicros: number,
  { formId, bucket }: Answerer,
): Work<NamedRequest | undefined> {
  const hasForm =
    formId === undefined
      ? ''
      : ' OR EXISTS (SELECT 1 FROM answered_forms WHERE request_id = r.id AND form_id = $4)'
  const requests = requestRows(dialect)
  const found = yield* row(
    `SELECT ${requests.columns}, ${displayNameColumns(dialect, 'r.account_id')} FROM requests r
     WHERE r.id = coalesce((SELECT id FROM requests WHERE digest = $1), (SELECT id FROM requests WHERE id > $3 ORDER BY id LIMIT 1))
       AND (r.digest = $1 AND ${hasEnabledAccount} AND ((${isOpen('$2')})${hasForm})) IS TRUE`,
    ...[
      digest,
      nowMicros,
      dialect.id.in(nilUuid),
      ...(formId === undefined ? [] : [dialect.id.in(uuidOfForm(formId))]),
    ],
  )
  if (found === undefined) return undefined
  const attempts = bucket === undefined ? noAttempts : yield* attemptsIn(bucket)
  const from = displayNameOf(dialect, found.slice(-3) as DisplayNameRow)
  return {
    ...(yield* foundOf(dialect, recordOf(requests.read(found)), formId, attempts)),
    ...(from === undefined ? {} : { from }),
  }
}

function* foundOf(
  { id }: Dialect,
  record: RequestRecord,
  formId: string | undefined,
  attempts: FoundRequest['attempts'],
): Work<FoundRequest> {
  const [receivedAtMicros] =
    formId === undefined
      ? []
      : ((yield* row<[number]>(
          'SELECT received_at FROM answered_forms WHERE request_id = $1 AND form_id = $2',
          ...[id.in(record.request.id), id.in(uuidOfForm(formId))],
        )) ?? [])
  return { ...record, receivedAtMicros, attempts }
}

/**
 * Answers wait for each other's locks, first that of the request, then that of the bucket, so that none has to run again. The account's erasure
 * waits for this transaction, or this one sees that it has begun.
 */
function createAnswer(engine: Engine, insertSecret: InsertSecret): RequestStore['answer'] {
  const { dialect } = engine
  const requests = requestRows(dialect)
  const lock = `SELECT ${requests.columns} FROM requests r
    WHERE r.digest = $1 AND ${hasEnabledAccount}${dialect.forUpdate}`
  return <Change extends AnswerChange, E>(
    digest: Uint8Array,
    { formId, bucket }: Answerer,
    draft: NewDraft,
    decide: (found: FoundRequest) => Result<Change, E>,
  ) =>
    engine.write<Change, E | RequestNotFound | KeyRetired | StorageUnavailable>(
      function* () {
        const locked = yield* row(lock, digest)
        if (locked === undefined) return err({ code: 'request_not_found' })
        const attempts = bucket === undefined ? noAttempts : yield* lockAttempts(bucket)
        const found = yield* foundOf(dialect, recordOf(requests.read(locked)), formId, attempts)
        const decision = decide(found)
        if (decision.isErr()) return err(decision.error)
        const { accepted, bucket: counted, events = [] } = decision.value
        if (bucket !== undefined && counted !== undefined) yield* storeAttempts(bucket, counted)
        for (const event of events) yield* queueEvent(dialect, event)
        if (accepted === undefined) return ok(decision.value)
        const { secret, note, files } = draft
        const added = yield* underKey(engine, secret.kid, () =>
          addAnswer(dialect, found, { formId, accepted, draftId: secret.id }, insertSecret(secret, note)),
        )
        if (added.isErr()) return err(added.error)
        const changed = files === undefined ? ok() : yield* changeFiles(engine, secret, files)
        return changed.map(() => decision.value)
      },
      { isolation: 'locks' },
    )
}

function* addAnswer(
  { id }: Dialect,
  { request }: RequestRecord,
  {
    formId,
    accepted: { answers, receivedAtMicros },
    draftId,
  }: {
    readonly formId: string | undefined
    readonly accepted: NonNullable<AnswerChange['accepted']>
    readonly draftId: Uuid
  },
  insertDraft: Work<void>,
): Work<void> {
  const requestId = id.in(request.id)
  yield* insertDraft
  yield* changes('UPDATE secrets SET news = 1, answers_request = $2 WHERE id = $1', id.in(draftId), requestId)
  yield* changes('UPDATE requests SET answers = $2 WHERE id = $1', requestId, answers)
  if (formId !== undefined)
    yield* changes(
      'INSERT INTO answered_forms (request_id, form_id, received_at) VALUES ($1, $2, $3)',
      ...[requestId, id.in(uuidOfForm(formId)), receivedAtMicros],
    )
}
