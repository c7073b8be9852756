import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { KeyedFile, Upload } from '../entities/secret-file.ts'
import { uuidToFind, type Uuid } from '../entities/uuid.ts'
import type {
  FieldsInvalid,
  FilesFull,
  FilesOff,
  FileTooLarge,
  NewSecretRule,
  StorageError,
  UploadBroken,
} from '../errors.ts'
import { base64From, urlAlphabet } from '../base64.ts'
import { hexOf } from '../hex.ts'
import { takesFiles, type FilePolicy, type Policy } from '../policy.ts'
import type { ContentDigest, Pieces } from '../ports/file-cipher.ts'
import type { PortMethods } from '../ports/ports.ts'
import { fileTypeOf, newFileError } from '../rules/files.ts'
import { orphanAfterMicros } from './compare-files.ts'
import { newId } from './ids.ts'
import { isKeyUsed, type IsKeyUsedDeps } from './is-key-used.ts'

/** How long the files of a secret may take to arrive: 12 hours. The first one is no orphan when the secret is created. */
export const uploadMaxMicros = orphanAfterMicros / 2

export type DropUploadDeps = PortMethods<{ fileContents: 'drop' }>
export type DropUploadInput = Upload
export type DropUploadError = StorageError
export type UploadFilesDeps = DropUploadDeps &
  IsKeyUsedDeps &
  PortMethods<{
    fileContents: 'append'
    fileCipher: 'newFileKey' | 'newContentDigest' | 'encryptFile'
    secretFiles: 'bytesOf'
    clock: 'nowMicros'
    random: 'bytes'
  }> & { readonly policy: Pick<Policy, 'files'> }

/** A file as it arrives. */
export interface NewFile {
  /** 1 to 255 bytes of UTF-8: no path, nothing that people do not see. */
  readonly name: string
  /** The media type that its sender gave; anything else becomes `application/octet-stream`. */
  readonly type?: string | undefined
  readonly content: Pieces<UploadBroken>
}

/** Files as they arrive. Each content is read to its end, or left for good, before the next file is asked for. */
export type NewFiles = AsyncIterable<Result<NewFile, UploadBroken>>

export interface UploadFilesInput {
  readonly accountId: Uuid
  readonly files: NewFiles
  /** The draft that gets the files, and how many others it keeps. Without it they are for a new secret or draft. */
  readonly draft?: { readonly id: string; readonly filesCount: number } | undefined
  /** Of the request that creates the secret. When an earlier request has created it, these files will be dropped, so only they are counted. */
  readonly idempotencyKey?: string | undefined
}
export type UploadFilesError =
  FieldsInvalid<NewSecretRule> | FileTooLarge | FilesFull | FilesOff | UploadBroken | StorageError

/**
 * Encrypts and stores contents as they arrive, before the secret exists that they belong to. Ok only once all are durable. After an Err, or
 * when `files` throws, the rest is not read, and nothing stays stored but what a crash leaves until a sweep.
 * @errors `files_off`; `fields_invalid` for `files`: too many, or a name that no file may have; `file_too_large` as soon as more bytes arrive than
 * a file may have; `files_full` when the account's files would be too large, as far as is known now; `upload_broken`, also after 12 hours
 */
export function uploadFiles(
  deps: UploadFilesDeps,
  input: UploadFilesInput,
): ResultAsync<Upload, UploadFilesError> {
  return new ResultAsync(upload(deps, input))
}

/**
 * Drops the contents of files that did not become part of a secret. Not to be called where that is not known (`outcome_unknown`): a sweep
 * drops those that no row names.
 */
export function dropUpload(
  { fileContents }: DropUploadDeps,
  { files }: DropUploadInput,
): ResultAsync<void, DropUploadError> {
  return dropAll(fileContents, files)
}

function dropAll(
  contents: DropUploadDeps['fileContents'],
  files: readonly { readonly id: Uuid }[],
): ResultAsync<void, StorageError> {
  return ResultAsync.combine(files.map(({ id }) => contents.drop(id))).map(() => undefined)
}

async function upload(
  deps: UploadFilesDeps,
  { accountId, files, draft, idempotencyKey }: UploadFilesInput,
): Promise<Result<Upload, UploadFilesError>> {
  const policy = deps.policy.files
  if (!takesFiles(policy)) return err({ code: 'files_off' })
  const used = await usedBytes(deps, accountId, idempotencyKey)
  if (used.isErr()) return err(used.error)
  const secretId = draft === undefined ? newId(deps.random, deps.clock.nowMicros()) : uuidToFind(draft.id)
  const stored: Stored = { files: [], digests: [] }
  const place = { accountId, secretId, before: draft?.filesCount ?? 0 }
  let isWhole = false
  try {
    const done = await storeAll(deps, { files, place, room: { policy, usedBytes: used.value } }, stored)
    isWhole = done.isOk()
    return done.map(() => ({ accountId, secretId, ...stored, accountMaxBytes: policy.accountMaxBytes }))
  } finally {
    // Also when `files` throws. What cannot be dropped now is dropped by a sweep.
    if (!isWhole) await dropAll(deps.fileContents, stored.files).unwrapOr(undefined)
  }
}

/** How many bytes the account's files have besides those that are uploaded. */
async function usedBytes(
  deps: UploadFilesDeps,
  accountId: Uuid,
  idempotencyKey: string | undefined,
): Promise<Result<number, StorageError>> {
  const used = await deps.secretFiles.bytesOf(accountId)
  if (idempotencyKey === undefined) return used
  // After the sum is read: a sum that has the files of an earlier request is never taken without its claim.
  const isRepeated = await isKeyUsed(deps, { accountId, idempotencyKey })
  return isRepeated.andThen((isUsed) => (isUsed ? ok(0) : used))
}

interface Stored {
  readonly files: KeyedFile[]
  readonly digests: string[]
}

interface Uploading {
  readonly files: NewFiles
  readonly place: { readonly accountId: Uuid; readonly secretId: Uuid; readonly before: number }
  readonly room: { readonly policy: FilePolicy; usedBytes: number }
}

async function storeAll(
  deps: UploadFilesDeps,
  { files, place, room }: Uploading,
  stored: Stored,
): Promise<Result<void, UploadFilesError>> {
  const startMicros = deps.clock.nowMicros()
  for await (const file of files) {
    if (file.isErr()) return err(file.error)
    const { name, type, content } = file.value
    const invalid = newFileError(name, place.before + stored.files.length + 1)
    if (invalid !== undefined) return err({ code: 'fields_invalid', errors: [invalid] })
    const one = await storeOne(deps, { place, room, content })
    if (one.isErr()) {
      const { error } = one
      return err(error.code === 'file_too_large' ? { ...error, number: stored.files.length + 1 } : error)
    }
    const { digest, ...keyed } = one.value
    stored.files.push({ ...keyed, name, type: fileTypeOf(type) })
    stored.digests.push(digest)
  }
  const isLate = deps.clock.nowMicros() - startMicros > uploadMaxMicros
  return isLate ? err({ code: 'upload_broken' }) : ok()
}

async function storeOne(
  { fileContents, fileCipher, clock, random }: UploadFilesDeps,
  { place, room, content }: Omit<Uploading, 'files'> & Pick<NewFile, 'content'>,
): Promise<Result<Pick<KeyedFile, 'id' | 'key' | 'size'> & { readonly digest: string }, UploadFilesError>> {
  const id = newId(random, clock.nowMicros())
  const key = fileCipher.newFileKey()
  const seen = { size: 0, digest: fileCipher.newContentDigest() }
  const { accountId, secretId } = place
  const encrypted = fileCipher.encryptFile(
    { accountId, secretId, fileId: id },
    key,
    bounded(content, room, seen),
  )
  const appended = await fileContents.append(id, encrypted)
  if (appended.isErr()) return err(appended.error)
  room.usedBytes += seen.size
  return ok({ id, key: base64From(key, urlAlphabet), size: seen.size, digest: hexOf(seen.digest.digest()) })
}

/** The content, counted and digested as it passes. It ends with an error as soon as it is too large. */
async function* bounded(
  content: Pieces<UploadBroken>,
  { policy, usedBytes }: Uploading['room'],
  seen: { size: number; readonly digest: ContentDigest },
): AsyncGenerator<Result<Uint8Array, UploadBroken | FileTooLarge | FilesFull>, void, void> {
  for await (const piece of content) {
    if (piece.isOk()) {
      seen.size += piece.value.length
      seen.digest.add(piece.value)
      if (seen.size > policy.maxBytes) return yield err({ code: 'file_too_large', maxBytes: policy.maxBytes })
      if (usedBytes + seen.size > policy.accountMaxBytes)
        return yield err({ code: 'files_full', maxBytes: policy.accountMaxBytes })
    }
    yield piece
  }
}
