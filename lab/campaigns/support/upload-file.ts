import { ok, type Result } from 'neverthrow'
import type { NewFile, UploadBroken, Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'

/** Stores the content of a file for a secret that does not exist yet. It arrives in pieces. */
export async function uploadFile(
  sotto: Pick<Installation['sotto'], 'uploadFiles'>,
  accountId: Uuid,
  bytes: Buffer,
) {
  const file: NewFile = { name: 'a file', content: piecesOf(bytes) }
  return expectOk(await sotto.uploadFiles({ accountId, files: one(file) }))
}

const pieceBytes = 50_000

type Pieces<T> = AsyncGenerator<Result<T, UploadBroken>, void, void>

// eslint-disable-next-line @typescript-eslint/require-await
async function* piecesOf(bytes: Buffer): Pieces<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield ok(bytes.subarray(at, at + pieceBytes))
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* one<T>(only: T): Pieces<T> {
  yield ok(only)
}
