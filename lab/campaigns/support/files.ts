import { ok, type Result } from 'neverthrow'
import type { NewFile, Pieces, UploadBroken, Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'

/** Stores the content of a file for a secret that does not exist yet. It arrives in pieces. */
export async function uploadFile(
  sotto: Pick<Installation['sotto'], 'uploadFiles'>,
  accountId: Uuid,
  bytes: Buffer,
  name = 'a file',
) {
  const file: NewFile = { name, content: piecesOf(bytes) }
  return expectOk(await sotto.uploadFiles({ accountId, files: one(file) }))
}

const pieceBytes = 50_000

type Sent<T> = AsyncGenerator<Result<T, UploadBroken>, void, void>

// eslint-disable-next-line @typescript-eslint/require-await
async function* piecesOf(bytes: Buffer): Sent<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield ok(bytes.subarray(at, at + pieceBytes))
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* one<T>(only: T): Sent<T> {
  yield ok(only)
}

/** A content of up to three chunks, another one for each number. */
export function contentOf(number: number): Buffer {
  return Buffer.alloc(1 + ((number * 7_919) % 150_000), `content ${number} `)
}

/** The bytes of the only file of a ticket, or the code of the error that ended them. */
export async function readTicketWhole(
  sotto: Pick<Installation['sotto'], 'readTicket'>,
  ticket: string,
): Promise<Buffer | string> {
  const found = await sotto.readTicket({ ticket, number: 1 })
  return found.isErr() ? found.error.code : wholeOf(found.value.read())
}

/** All bytes, or the code of the error that ended them. */
export async function wholeOf(pieces: Pieces<{ readonly code: string }>): Promise<Buffer | string> {
  const read: Uint8Array[] = []
  for await (const piece of pieces) {
    if (piece.isErr()) return piece.error.code
    read.push(piece.value)
  }
  return Buffer.concat(read)
}
