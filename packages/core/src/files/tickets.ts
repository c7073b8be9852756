import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { base64Bytes, urlAlphabet } from '../shared/base64.ts'
import { noLinkToken } from '../shared/link-token.ts'
import {
  isOpaqueToken,
  makeOpaqueToken,
  opaqueTokenRandomBytes,
  type OpaqueToken,
} from '../shared/opaque-token.ts'
import type { KeyedFile, SecretFile } from './secret-file.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { FileNotFound } from './errors.ts'
import type { DataCorrupted, StorageError } from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import type { ByteRange, FileCipher, Pieces } from './file-cipher.ts'
import type { FileMissing, FileStore } from './file-store.ts'
import type { TextCipher } from '../shared/cipher.ts'
import type { Digests } from '../shared/digests.ts'
import type { Random } from '../shared/random.ts'
import type { NewTicket, SecretFileStore, StoredTicket } from './secret-file-store.ts'
import type { Clock } from '../shared/clock.ts'
import { joinNote, shownFile, splitNote } from './file-rules.ts'

/** How long the files of an opened link can be fetched: one hour. */
export const ticketMicros = 3_600 * 1_000_000

/** The bound of tickets: anybody who has a link without limit could otherwise make it store more and more of them. */
const ticketsMax = 1_000

export interface MakeTicketDeps {
  readonly textCipher: Pick<TextCipher, 'sealText'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly random: Random
}

/** A new ticket for these files: the only thing that reads them once their note is destroyed. */
export function makeTicket(
  { textCipher, digests, random }: MakeTicketDeps,
  {
    accountId,
    files,
    nowMicros,
  }: { readonly accountId: Uuid; readonly files: readonly KeyedFile[]; readonly nowMicros: number },
): { readonly token: OpaqueToken; readonly stored: NewTicket } {
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const stored = {
    digest: digests.opaqueTokenDigest('file-ticket', token),
    expiresAtMicros: nowMicros + ticketMicros,
    sealed: textCipher.sealText({ accountId, token }, joinNote('', files)),
    othersMax: ticketsMax - 1,
  }
  return { token, stored }
}

export interface ReadTicketDeps {
  readonly secretFiles: Pick<SecretFileStore, 'findTicket'>
  readonly fileContents: Pick<FileStore, 'read'>
  readonly fileCipher: Pick<FileCipher, 'decryptFile'>
  readonly textCipher: Pick<TextCipher, 'unsealText'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
}
export interface ReadTicketInput {
  readonly ticket: string
  /** The place of the file in the answer that the open got, from 1. */
  readonly number: number
}
export type ReadTicketError = FileNotFound | DataCorrupted | StorageError

/** A file that can be read. */
export interface ReadableFile extends SecretFile {
  /** Names this content: another one for each file, 64 hexadecimal digits. Reveals nothing, not even when it was uploaded. */
  readonly id: string
  /** The secret that it belongs to. */
  readonly secretId: Uuid
  /**
   * The file's bytes, or those of a range of them, in pieces: each is read when it is asked for.
   * @errors `data_damaged`; `file_missing` when it was dropped meanwhile
   */
  read(range?: ByteRange): Pieces<FileMissing | DataCorrupted | StorageError>
}

/**
 * A file of an opened link. To read it, as often as wanted, costs no further open.
 * @errors `file_not_found`, the same for an unknown, malformed or ended ticket, for one whose secret was destroyed by its owner, and for a number
 * that no file has
 */
export function readTicket(
  deps: ReadTicketDeps,
  { ticket, number }: ReadTicketInput,
): ResultAsync<ReadableFile, ReadTicketError> {
  const token = isOpaqueToken(ticket) ? ticket : noLinkToken
  const digest = deps.digests.opaqueTokenDigest('file-ticket', token)
  return deps.secretFiles
    .findTicket(digest, deps.clock.nowMicros())
    .andThen((found): Result<ReadableFile, ReadTicketError> => {
      if (found === undefined) return err({ code: 'file_not_found' })
      const unsealed = deps.textCipher.unsealText({ accountId: found.accountId, token }, found.sealed)
      const split = unsealed === undefined ? undefined : splitNote(unsealed)
      if (split === undefined)
        return err({ code: 'data_damaged', what: 'file_ticket.sealed', id: found.secretId })
      const file = split.files[number - 1]
      return file === undefined ? err({ code: 'file_not_found' }) : ok(readableFile(deps, found, file))
    })
}

/** What reading a file takes. */
export type ReadFileDeps = Pick<ReadTicketDeps, 'fileContents' | 'fileCipher' | 'digests'>

/** A file whose key is known. */
export function readableFile(
  { fileContents, fileCipher, digests }: ReadFileDeps,
  { accountId, secretId }: Pick<StoredTicket, 'accountId' | 'secretId'>,
  { id, key, ...file }: KeyedFile,
): ReadableFile {
  const place = { accountId, secretId, fileId: id }
  const { size } = file
  return {
    id: hexOf(digests.opaqueTokenDigest('file-ticket', id)),
    secretId,
    ...shownFile(file),
    read: (range = { start: 0, end: size }) =>
      fileCipher.decryptFile(place, { key: base64Bytes(key, urlAlphabet), size }, range, (stored) =>
        fileContents.read(id, stored),
      ),
  }
}
