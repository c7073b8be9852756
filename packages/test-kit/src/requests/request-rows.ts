import type {
  AnswerChange,
  Answerer,
  FoundRequest,
  NewDraft,
  RequestEvent,
  RequestNotFound,
  StoredFolder,
  StoredRequest,
  StoredSecret,
} from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { addFolder } from '../stores/rows.ts'

export interface AddedRequest {
  readonly folder: StoredFolder
  readonly request: StoredRequest
  /** The digest of the token of the request's link. */
  readonly digest: Uint8Array
}

/** Adds a request to the folder, or to a new one. */
export async function addRequest(
  store: FullStorage,
  make: Samples,
  columns: Partial<StoredRequest> = {},
  given?: StoredFolder,
): Promise<AddedRequest> {
  const folder = given ?? (await addFolder(store, make))
  const [request, digest] = [make.request(folder, columns), make.tokenDigest()]
  expectOk(await store.requests.insert(request, digest), 'adding a request')
  return { folder, request, digest }
}

type Accepted = Required<Pick<AnswerChange, 'accepted'>>

/** Accepts an answer as long as one is left and the form has handed in none. */
export function accept({ request, state, ...found }: FoundRequest): Result<Accepted, RequestNotFound> {
  const isLeft = state.answers < request.answersAllowed && state.closedAtMicros === undefined
  if (!isLeft || found.receivedAtMicros !== undefined) return err({ code: 'request_not_found' })
  return ok({ accepted: { answers: state.answers + 1, receivedAtMicros: noonMicros } })
}

/** A draft as an answer becomes one, with its note. */
export function answerTo(make: Samples, folder: StoredFolder, columns?: Partial<StoredSecret>): NewDraft {
  return { secret: make.draft(folder, columns), note: make.note() }
}

/** Hands in an answer, as {@link accept} decides. */
export function handIn(
  { requests }: Pick<FullStorage, 'requests'>,
  make: Samples,
  { folder, digest }: AddedRequest,
  answerer: Answerer = {},
): ResultAsync<Accepted, { readonly code: string }> {
  return requests.answer(digest, answerer, answerTo(make, folder), accept)
}

/** An event that a request has closed without an answer. */
export function requestEvent(
  make: Samples,
  { id: requestId, accountId, folderId, closesAtMicros, answersAllowed }: StoredRequest,
): RequestEvent {
  const counts = { answers: 0, answersLeft: answersAllowed }
  const times = { createdAtMicros: closesAtMicros, expiresAtMicros: closesAtMicros }
  const type = 'request.closed_unanswered'
  return { id: make.uuid(), type, accountId, requestId, folderId, ...counts, ...times }
}
