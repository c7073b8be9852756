import {
  isExpired,
  noAttempts,
  type AnswerChange,
  type Answerer,
  type FoundRequest,
  type InsertSecretRowError,
  type KeyRetired,
  type RequestFilter,
  type RequestNotFound,
  type RequestRecord,
  type RequestStore,
  type StorageError,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  equalBytes,
  inOrder,
  keyRetired,
  taken,
  type MemoryConnection,
  type MemoryData,
  type RequestRow,
  putEvents,
} from '../stores/memory-data.ts'
import { insertRow } from '../secrets/memory-secrets.ts'

export function createMemoryRequests(connection: MemoryConnection): RequestStore {
  const { data, answer, hasFolder, mayWrite } = connection
  return {
    insert: (request, digest) =>
      answer(() => {
        if (!hasFolder(request.accountId, request.folderId)) return err({ code: 'folder_not_found' })
        if (!mayWrite(request.content)) return err(keyRetired)
        if (data.requests.has(request.id) || rowWith(data, digest) !== undefined) return err(taken)
        const fresh = { answers: 0, closedAtMicros: undefined, forms: new Map<string, number>() }
        data.requests.set(request.id, structuredClone({ request, digest, ...fresh }))
        return ok()
      }),

    find: (accountId, id, nowMicros) =>
      answer(() => {
        const row = data.requests.get(id)
        return ok(row && passes({ accountId, nowMicros }, row) ? recordOf(row) : undefined)
      }),

    page: (filter, after, limit) =>
      answer(() => {
        const listed = [...data.requests.values()]
          .filter((row) => passes(filter, row))
          .filter(({ request }) => after === undefined || inOrder(request, after) < 0)
          .toSorted((one, other) => inOrder(other.request, one.request))
        return ok(listed.slice(0, limit).map(recordOf))
      }),

    countOpen: (filter) => answer(() => ok(openRequests(data, filter).length)),

    close: (accountId, id, nowMicros) =>
      answer(() => {
        const row = data.requests.get(id)
        if (row === undefined || !passes({ accountId, nowMicros }, row)) return ok(false)
        data.requests.set(id, { ...row, closedAtMicros: row.closedAtMicros ?? nowMicros })
        return ok(true)
      }),

    findByDigest: (digest, nowMicros, answerer = {}) =>
      answer(() => {
        const row = answerableRow(connection, digest)
        if (row === undefined) return ok(undefined)
        const found = foundOf(data, row, answerer)
        if (!isOpen(row, nowMicros) && found.receivedAtMicros === undefined) return ok(undefined)
        const from = data.accounts.get(row.request.accountId)?.account.displayName
        return ok({ ...found, ...(from === undefined ? {} : { from }) })
      }),

    answer<Change extends AnswerChange, E>(
      digest: Uint8Array,
      answerer: Answerer,
      draft: Parameters<RequestStore['answer']>[2],
      decide: (found: FoundRequest) => Result<Change, E>,
    ) {
      return answer<Change, E | AnswerError>(() => {
        const row = answerableRow(connection, digest)
        if (row === undefined) return err({ code: 'request_not_found' })
        const decision = decide(foundOf(data, row, answerer))
        if (decision.isErr()) return err(decision.error)
        const added = applyChange(connection, row, decision.value, { answerer, draft })
        return added.map(() => decision.value)
      })
    },

    eraseIn: (accountId, folderId, limit) =>
      answer(() => {
        const own = [...data.requests.values()]
          .filter(({ request }) => request.accountId === accountId && request.folderId === folderId)
          .slice(0, limit)
        for (const { request } of own) data.requests.delete(request.id)
        return ok(own.length)
      }),

    eraseExpired: (closedByMicros, limit, report) =>
      answer(() => {
        const over = [...data.requests.values()]
          .filter(({ request }) => isExpired(request.closesAtMicros, closedByMicros))
          .slice(0, limit)
        const unanswered = over.filter(
          ({ request, answers, closedAtMicros }) =>
            request.notify && answers === 0 && closedAtMicros === undefined,
        )
        putEvents(
          data,
          unanswered.map(({ request }) => report(request)),
        )
        for (const { request } of over) data.requests.delete(request.id)
        return ok(over.length)
      }),
  }
}

/** The requests that pass the filter and can still be answered. */
export function openRequests(data: MemoryData, filter: RequestFilter): readonly RequestRow[] {
  return [...data.requests.values()].filter((row) => passes(filter, row) && isOpen(row, filter.nowMicros))
}

function passes({ accountId, folderId, nowMicros }: RequestFilter, { request }: RequestRow): boolean {
  if (request.accountId !== accountId || isExpired(request.closesAtMicros, nowMicros)) return false
  return folderId === undefined || request.folderId === folderId
}

function isOpen({ request, answers, closedAtMicros }: RequestRow, nowMicros: number): boolean {
  if (isExpired(request.closesAtMicros, nowMicros) || closedAtMicros !== undefined) return false
  return answers < request.answersAllowed
}

function rowWith({ requests }: MemoryData, digest: Uint8Array): RequestRow | undefined {
  return requests.values().find((row) => equalBytes(row.digest, digest))
}

/** The row with this digest, whose account is there and not disabled. */
function answerableRow({ data, isEnabled }: MemoryConnection, digest: Uint8Array): RequestRow | undefined {
  const row = rowWith(data, digest)
  return row && isEnabled(row.request.accountId) ? row : undefined
}

function recordOf({ request, answers, closedAtMicros }: RequestRow): RequestRecord {
  return { request, state: { answers, closedAtMicros } }
}

function foundOf(data: MemoryData, row: RequestRow, { formId, bucket }: Answerer): FoundRequest {
  return {
    ...recordOf(row),
    receivedAtMicros: formId === undefined ? undefined : row.forms.get(formId),
    attempts: (bucket && data.signInAttempts.get(nameOf(bucket))?.attempts) ?? noAttempts,
  }
}

interface Handed {
  readonly answerer: Answerer
  readonly draft: Parameters<RequestStore['answer']>[2]
}

function applyChange(
  connection: MemoryConnection,
  row: RequestRow,
  { accepted, bucket, events = [] }: AnswerChange,
  { answerer: { formId, bucket: name }, draft: { secret, note, files } }: Handed,
): Result<void, AnswerError> {
  const { data } = connection
  if (accepted !== undefined) {
    const added = insertRow(connection, secret, note, files)
    if (added.isErr()) return err(asRequestError(added.error))
    const inserted = data.secrets.get(secret.id)
    if (inserted !== undefined)
      data.secrets.set(secret.id, { ...inserted, news: 1, requestId: row.request.id })
    const forms = new Map(row.forms)
    if (formId !== undefined) forms.set(formId, accepted.receivedAtMicros)
    data.requests.set(row.request.id, { ...row, answers: accepted.answers, forms })
  }
  if (name !== undefined && bucket !== undefined)
    data.signInAttempts.set(nameOf(name), structuredClone(bucket))
  putEvents(data, events)
  return ok()
}

type AnswerError = RequestNotFound | KeyRetired | StorageError

/** The error of a draft as one of the request: the folder is gone with its request. */
function asRequestError(error: InsertSecretRowError): AnswerError {
  return error.code === 'folder_not_found' ? { code: 'request_not_found' } : error
}

function nameOf(bucket: Uint8Array): string {
  return Buffer.from(bucket).toString('hex')
}

/** Erases the requests of an account. */
export function eraseRequestsOf({ requests }: MemoryData, isOwner: (accountId: Uuid) => boolean): void {
  for (const { request } of requests.values()) if (isOwner(request.accountId)) requests.delete(request.id)
}
