import { base64Bytes, urlAlphabet } from '../shared/base64.ts'
import type { DataCorrupted, StorageError } from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import { makeOpaqueToken, opaqueTokenRandomBytes, type OpaqueToken } from '../shared/opaque-token.ts'
import type { DepsOf } from '../shared/use-case.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { ByteRange, Pieces } from './file-cipher.ts'
import { joinNote, shownFile } from './file-rules.ts'
import type { FileMissing } from './file-store.ts'
import type { NewTicket, StoredTicket } from './secret-file-store.ts'
import type { KeyedFile, SecretFile } from './secret-file.ts'

// Tickets, and files whose keys are known.

/** How long the files of an opened link can be fetched: one hour. */
export const ticketMicros = 3_600 * 1_000_000

/** The bound of tickets: anybody who has a link without limit could otherwise make it store more and more of them. */
const ticketsMax = 1_000

/** What {@link makeTicket} needs. */
export const makeTicketNeeds = ['textCipher.sealText', 'digests.opaqueTokenDigest', 'random.bytes'] as const

/** A new ticket for these files: the only thing that reads them once their note is destroyed. */
export function makeTicket(
  { textCipher, digests, random }: DepsOf<(typeof makeTicketNeeds)[number]>,
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

/** What {@link readableFile} needs. */
export const readFileNeeds = [
  'fileContents.read',
  'fileCipher.decryptFile',
  'digests.opaqueTokenDigest',
] as const

/** A file whose key is known. */
export function readableFile(
  { fileContents, fileCipher, digests }: DepsOf<(typeof readFileNeeds)[number]>,
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
