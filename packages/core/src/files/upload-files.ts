import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { takesFiles, type FilePolicy } from '../policy.ts'
import { base64From, urlAlphabet } from '../shared/base64.ts'
import type { FieldsInvalid, NewSecretRule, StorageError } from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import { newId } from '../shared/ids.ts'
import { aNumber, anObjectOf, aString } from '../shared/inputs.ts'
import { account } from '../shared/shapes.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import { uploadMaxMicros } from './compare-files.ts'
import { dropFile, dropFileNeeds } from './drop-file.ts'
import {
  diskFull,
  filesOff,
  uploadBroken,
  type DiskFull,
  type FilesFull,
  type FileTooLarge,
  type UploadBroken,
} from './errors.ts'
import type { ContentDigest, Pieces } from './file-cipher.ts'
import { fileTypeOf, newFileError } from './file-rules.ts'
import { isKeyUsed } from './is-key-used.ts'
import { reserveSpace, reserveSpaceNeeds, type Reservation } from './reserve-space.ts'
import type { KeyedFile, Upload } from './secret-file.ts'
import { uploadFields } from './shapes.ts'

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

function areNewFiles(value: unknown): value is NewFiles {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

const needs = [
  ...dropFileNeeds,
  ...isKeyUsed.needs,
  ...reserveSpaceNeeds,
  'fileContents.append',
  'fileCipher.newFileKey',
  'fileCipher.newContentDigest',
  'fileCipher.encryptFile',
  'random.bytes',
  'policy.files',
] as const

type Deps = DepsOf<(typeof needs)[number]>
type UploadError =
  FieldsInvalid<NewSecretRule> | FileTooLarge | FilesFull | DiskFull | UploadBroken | StorageError

/**
 * Encrypts and stores contents as they arrive, before the secret exists that they belong to. Ok only once all are durable. Each counts from before
 * its first byte is written, and has five minutes to become part of the secret once all are there. After an Err, or when `files` throws, the rest is
 * not read, and nothing stays stored but what a crash leaves until a sweep.
 * @errors `files_off`; `fields_invalid` for `files`: too many, or a name that no file may have; `file_too_large` as soon as more bytes arrive than
 * a file may have; `files_full` and `disk_full` as soon as there is no space for them; `upload_broken`, also after 12 hours
 */
export const uploadFiles = useCase({
  needs,
  takes: { ...account, files: areNewFiles },
  mayTake: {
    /** The draft that gets the files, and how many others it keeps. Without it they are for a new secret or draft. */
    draft: anObjectOf({ id: aString, filesCount: aNumber }),
    /**
     * The key of the request that creates the secret. When an earlier request has created it, these files are only compared with its own: not
     * stored.
     */
    idempotencyKey: aString,
  },
  async run(deps, { accountId, files, draft, idempotencyKey }) {
    const policy = deps.policy.files
    if (!takesFiles(policy)) return err(filesOff)
    const repeated =
      idempotencyKey === undefined ? ok(false) : await isKeyUsed(deps, { accountId, idempotencyKey })
    if (repeated.isErr()) return repeated
    const secretId = draft === undefined ? newId(deps.random, deps.clock.nowMicros()) : uuidToFind(draft.id)
    const stored: Stored = { files: [], digests: [] }
    const place = { accountId, secretId, before: draft?.filesCount ?? 0 }
    let isWhole = false
    try {
      const done = await storeAll(deps, { files, place, policy, isStored: !repeated.value }, stored)
      isWhole = done.isOk()
      return done.map((): Upload => ({ accountId, secretId, ...stored })).mapErr(diskFullIfFull)
    } finally {
      // Also when `files` throws. What cannot be dropped now is dropped by a sweep.
      if (!isWhole) await dropUpload(deps, { accountId, secretId, ...stored }).unwrapOr(undefined)
    }
  },
})

/**
 * Drops the contents of files that did not become part of a secret. Not to be called where that is not known (`outcome_unknown`): a sweep
 * drops those that no row names.
 */
export const dropUpload = useCase({
  needs: dropFileNeeds,
  takes: uploadFields,
  run: async (deps, { files }) =>
    ResultAsync.combine(files.map(({ id }) => dropFile(deps, id))).map(() => undefined),
})

/** A disk that is full although it was to keep more free: other programs use it, too. */
function diskFullIfFull(error: UploadError): UploadError {
  return error.code === 'storage_unavailable' && error.reason === 'full' ? diskFull : error
}

interface Stored {
  readonly files: KeyedFile[]
  readonly digests: string[]
}

interface Uploading {
  readonly files: NewFiles
  readonly place: { readonly accountId: Uuid; readonly secretId: Uuid; readonly before: number }
  readonly policy: FilePolicy
  /** Whether the contents are stored, or only compared. */
  readonly isStored: boolean
}

async function storeAll(
  deps: Deps,
  { files, place, ...how }: Uploading,
  stored: Stored,
): Promise<Result<void, UploadError>> {
  const startMicros = deps.clock.nowMicros()
  for await (const next of files) {
    if (next.isErr()) return err(next.error)
    const { name, type, content } = next.value
    const invalid = newFileError(name, place.before + stored.files.length + 1)
    if (invalid !== undefined) return err({ code: 'fields_invalid', errors: [invalid] })
    const id = newId(deps.random, deps.clock.nowMicros())
    const key = deps.fileCipher.newFileKey()
    const file = { id, key: base64From(key, urlAlphabet), name, size: 0, type: fileTypeOf(type) }
    // The file is listed before it is whole, so that it is dropped in any case.
    const at = stored.files.push(file) - 1
    const read = await storeOne(deps, { ...how, place: { ...place, id }, key, content })
    if (read.isErr()) {
      const { error } = read
      return err(error.code === 'file_too_large' ? { ...error, number: at + 1 } : error)
    }
    const { size, digest } = read.value
    stored.files[at] = { ...file, size }
    stored.digests.push(hexOf(digest.digest()))
  }
  const isLate = deps.clock.nowMicros() - startMicros > uploadMaxMicros
  return isLate ? err(uploadBroken) : ok()
}

interface Storing extends Omit<Uploading, 'files' | 'place'> {
  readonly place: { readonly id: Uuid; readonly accountId: Uuid; readonly secretId: Uuid }
  readonly key: Uint8Array
  readonly content: Pieces<UploadBroken>
}

/** What has passed of a content. */
interface Seen {
  size: number
  readonly digest: ContentDigest
}

async function storeOne(
  deps: Deps,
  { place, key, content, policy, isStored }: Storing,
): Promise<Result<Seen, UploadError>> {
  const seen = { size: 0, digest: deps.fileCipher.newContentDigest() }
  if (!isStored) {
    for await (const piece of bounded(content, policy, seen)) if (piece.isErr()) return err(piece.error)
    return ok(seen)
  }
  const reservation = reserveSpace(deps, policy, place)
  const begun = await reservation.fit(0)
  if (begun.isErr()) return err(begun.error)
  const { id: fileId, accountId, secretId } = place
  const encrypted = deps.fileCipher.encryptFile(
    { accountId, secretId, fileId },
    key,
    bounded(content, policy, seen, reservation),
  )
  const appended = await deps.fileContents.append(fileId, encrypted)
  if (appended.isErr()) return err(appended.error)
  return (await reservation.end(seen.size)).map(() => seen)
}

/** The content, counted and digested as it passes. It ends with an error as soon as it is too large, or has no space. */
async function* bounded(
  content: Pieces<UploadBroken>,
  { maxBytes }: FilePolicy,
  seen: Seen,
  reservation?: Reservation,
): AsyncGenerator<Result<Uint8Array, UploadError>, void, void> {
  for await (const piece of content) {
    if (piece.isOk()) {
      seen.size += piece.value.length
      seen.digest.add(piece.value)
      if (seen.size > maxBytes) return yield err({ code: 'file_too_large', maxBytes })
      const fits = await reservation?.fit(seen.size)
      if (fits?.isErr() === true) return yield err(fits.error)
    }
    yield piece
  }
}
