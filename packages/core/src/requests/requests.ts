import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { makeOpaqueToken, opaqueTokenRandomBytes } from '../shared/opaque-token.ts'
import {
  defaultRequestLifetimeSeconds,
  parseRequestContent,
  requestContentText,
  type SecretRequest,
} from './request.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import type { RequestNotFound } from './errors.ts'
import type {
  DataCorrupted,
  DecryptError,
  FieldsInvalid,
  KeyRetired,
  KeyUnknown,
  StorageError,
} from '../shared/errors.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { RequestRecord, RequestStore } from './request-store.ts'
import { takesFiles as areFilesTaken, type Policy } from '../policy.ts'
import type { FilesOff } from '../files/errors.ts'
import type { FolderOwners } from '../secrets/folder-owners.ts'
import type { Digests } from '../shared/digests.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { newRequestErrors, unifyLineBreaks, type NewRequest } from './request-fields.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { unknownFolder, withoutFolderNotFound } from '../secrets/check-new-secret.ts'
import { foundOr } from '../shared/found-or.ts'
import { newId } from '../shared/ids.ts'
import { creationOf, pagesOf, type ListInput, type Pages } from '../shared/pages.ts'

export type CreateRequestDeps = {
  readonly requests: Pick<RequestStore, 'insert'>
  readonly folders: FolderOwners
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
  readonly random: Random
} & { readonly policy: Pick<Policy, 'files'> }
export type CreateRequestInput = NewRequest & { readonly accountId: Uuid }
export type CreateRequestError = FieldsInvalid | FilesOff | KeyRetired | StorageError

/**
 * Asks for a text: makes a link with which somebody without an account can hand one in.
 * @errors `fields_invalid` with every invalid field; an unknown, a malformed and another account's folder give the same error. `files_off` for
 * one that takes files where the installation takes none
 */
export function createRequest(
  deps: CreateRequestDeps,
  input: CreateRequestInput,
): ResultAsync<SecretRequest, CreateRequestError> {
  return new ResultAsync(create(deps, input))
}

async function create(
  deps: CreateRequestDeps,
  input: CreateRequestInput,
): Promise<Result<SecretRequest, CreateRequestError>> {
  const { accountId, title, key, answersAllowed = 1, notify = false, takesFiles = false } = input
  const { lifetimeSeconds = defaultRequestLifetimeSeconds } = input
  const text = unifyLineBreaks(input.text ?? '')
  const folderId = uuidToFind(input.folderId)
  const errors = newRequestErrors({ title, text, answersAllowed, lifetimeSeconds, key })
  const owned = await deps.folders.owns(accountId, folderId)
  if (owned.isErr()) return err(owned.error)
  if (!owned.value) errors.push(unknownFolder)
  if (errors.length > 0) return err({ code: 'fields_invalid', errors })
  if (takesFiles && !areFilesTaken(deps.policy.files)) return err({ code: 'files_off' })
  const { textCipher, keyRing, digests, random } = deps
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const createdAtMicros = deps.clock.nowMicros()
  const closesAtMicros = createdAtMicros + lifetimeSeconds * 1_000_000
  const id = newId(random, createdAtMicros)
  const columns = { id, folderId, createdAtMicros, closesAtMicros, answersAllowed, notify, takesFiles }
  const content = { title, text, link: { token }, ...(key !== undefined && { key }) }
  const inserted = await underActiveKey(keyRing, () => {
    const encrypted = textCipher.encryptText(placeOf(accountId, id), requestContentText(content))
    const stored = { ...columns, accountId, content: encrypted }
    return deps.requests.insert(stored, digests.opaqueTokenDigest('request', token))
  })
  return inserted
    .map(() => ({ ...columns, ...content, answers: 0, closedAtMicros: undefined }))
    .mapErr(withoutFolderNotFound)
}

export interface ListRequestsDeps {
  readonly requests: Pick<RequestStore, 'page'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
}
export interface ListRequestsInput extends ListInput {
  readonly accountId: Uuid
  /** Only the requests in this folder. An unknown, malformed or another account's folder has none. */
  readonly folderId?: string | undefined
}
export type ListRequestsError = KeyUnknown | StorageError

/** The account's requests, newest first, until they close by themselves: also those that are full, or closed by their owner. */
export function listRequests(
  { requests, textCipher, clock }: ListRequestsDeps,
  { accountId, folderId, after: first, pageSize }: ListRequestsInput,
): Pages<SecretRequest, ListRequestsError> {
  const nowMicros = clock.nowMicros()
  const folder = folderId === undefined ? undefined : uuidToFind(folderId)
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => requests.page({ accountId, folderId: folder, nowMicros }, after, limit),
    cursorOf: ({ request }) => creationOf(request),
    show: (record) => showRequest(textCipher, record),
  })
}

export interface GetRequestDeps {
  readonly requests: Pick<RequestStore, 'find'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
}
export interface GetRequestInput {
  readonly accountId: Uuid
  readonly id: string
}
export type GetRequestError = RequestNotFound | DecryptError | StorageError

/**
 * One request of the account.
 * @errors `request_not_found`, the same for an unknown, malformed or another account's id, and for one that is over
 */
export function getRequest(
  { requests, textCipher, clock }: GetRequestDeps,
  { accountId, id }: GetRequestInput,
): ResultAsync<SecretRequest, GetRequestError> {
  return requests
    .find(accountId, uuidToFind(id), clock.nowMicros())
    .andThen((record): Result<SecretRequest, GetRequestError> =>
      record === undefined ? err({ code: 'request_not_found' }) : showRequest(textCipher, record),
    )
}

export interface CountRequestsDeps {
  readonly requests: Pick<RequestStore, 'countOpen'>
  readonly clock: Clock
}
export interface CountRequestsInput {
  readonly accountId: Uuid
  /** Only the requests in this folder. */
  readonly folderId?: string | undefined
}
export type CountRequestsError = StorageError

/** How many requests of the account, or in one of its folders, can still be answered. */
export function countRequests(
  { requests, clock }: CountRequestsDeps,
  { accountId, folderId }: CountRequestsInput,
): ResultAsync<number, CountRequestsError> {
  const folder = folderId === undefined ? undefined : uuidToFind(folderId)
  return requests.countOpen({ accountId, folderId: folder, nowMicros: clock.nowMicros() })
}

export interface CloseRequestDeps {
  readonly requests: Pick<RequestStore, 'close'>
  readonly clock: Clock
}
export interface CloseRequestInput {
  readonly accountId: Uuid
  readonly id: string
}
export type CloseRequestError = RequestNotFound | StorageError

/**
 * Closes a request: from now on nobody can answer it. One that is closed already stays so. Its answers stay, and nobody is told.
 * @errors `request_not_found`, as `getRequest`
 */
export function closeRequest(
  { requests, clock }: CloseRequestDeps,
  { accountId, id }: CloseRequestInput,
): ResultAsync<void, CloseRequestError> {
  return requests.close(accountId, uuidToFind(id), clock.nowMicros()).andThen(foundOr('request_not_found'))
}

/** A stored request as its owner sees it. */
export function showRequest(
  cipher: Pick<TextCipher, 'decryptText'>,
  { request, state }: RequestRecord,
): Result<SecretRequest, DecryptError> {
  const { accountId, content, ...columns } = request
  return cipher
    .decryptText(placeOf(accountId, request.id), content)
    .andThen((text): Result<SecretRequest, DataCorrupted> => {
      const parsed = parseRequestContent(text)
      return parsed === undefined
        ? err({ code: 'data_damaged', what: 'request.content', id: request.id })
        : ok({ ...columns, ...state, ...parsed })
    })
}

function placeOf(accountId: Uuid, rowId: Uuid) {
  return { column: 'request.content', accountId, rowId } as const
}
