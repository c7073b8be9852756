import { expectOk } from '@sotto/test-kit'
import type { Pieces } from '@sotto/core'
import { ok, type Result } from 'neverthrow'
import type { PartHead } from '../../src/http/bodies/part-head.ts'

export const boundary = '----boundary'

/** A part as a client sends it: its headers and its content. */
export type SentPart = readonly [headers: string | readonly string[], content: string | Uint8Array]

/** A body of `multipart/form-data`. */
export function multipartBody(parts: readonly SentPart[], end = `--${boundary}--\r\n`): Buffer {
  const bytes = parts.flatMap(([headers, content]) => [
    Buffer.from(`--${boundary}\r\n${[headers].flat().join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...bytes, Buffer.from(end)])
}

/** The header of a field, or of a file. */
export function disposition(name: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`
  return `Content-Disposition: form-data; name="${name}"${file}`
}

export const multipartType = `multipart/form-data; boundary=${boundary}`

/** Bytes in pieces of these lengths, the last one as long as the rest. */
export async function* inPieces(
  bytes: Uint8Array,
  lengths: Iterable<number> = [],
): AsyncGenerator<Result<Uint8Array, never>> {
  let at = 0
  for (const length of lengths) {
    if (at >= bytes.length) return
    // What has been yielded is overwritten: nobody may rely on it once the next piece was asked for.
    const piece = Buffer.from(bytes.subarray(at, at + length))
    yield ok(piece)
    at += length
  }
  yield ok(bytes.subarray(at))
}

/** All bytes of a content. */
export async function bytesOf(content: Pieces<unknown>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(Buffer.from(expectOk(piece)))
  return Buffer.concat(pieces)
}

export type ReadPart = PartHead & { readonly bytes: Buffer }
