import type { Pieces } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { createCursor, type Cursor } from './cursor.ts'
import { parsePartHead, type PartHead } from './part-head.ts'

/** A part of the body. Its content arrives while it is read. */
export interface Part<E> extends PartHead {
  /** The content, to be read once, before the next part is asked for; the rest of it is skipped then. */
  readonly content: Pieces<E>
}

/** The most parts of a body: more than a form has fields and files. */
const partsMax = 64

/** The longest head of a part: it holds two names of 255 bytes of UTF-8 in which every byte is escaped, and other headers. */
const headMaxBytes = 4 * 1024

/**
 * The most bytes that stand around the parts and mean nothing (RFC 2046, section 5.1.1): before them, after them, and after each boundary.
 */
const skippedMaxBytes = 1024

const crlf = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')
const closing = Buffer.from('--')

/**
 * The parts of a body of `multipart/form-data` (RFC 7578) in their order, as they arrive. It holds one piece of the body at a time, and asks for
 * the next one when its reader has taken that.
 *
 * Strict: no part that another reader would leave out, and at most {@link skippedMaxBytes} of what all of them skip. An Err is the last item.
 * @param boundary 1 to 70 characters of ASCII
 * @param malformed what is wrong with any other body, with one that ends early, and with one of more than 64 parts
 * @errors what `body` yields; `malformed`
 */
export async function* readParts<E>(
  body: Pieces<E>,
  boundary: string,
  malformed: E,
): AsyncGenerator<Result<Part<E>, E>, void, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  // Every boundary follows a line break, which the first one of a body lacks.
  const cursor = createCursor(body, crlf, malformed)
  let passed = await passPreamble(cursor, delimiter)
  for (let parts = 0; passed.isOk(); parts += 1) {
    const head = await nextHead(cursor)
    if (head.isErr()) return yield err(head.error)
    if (head.value === 'end') return
    if (parts === partsMax) return yield err(malformed)
    const content = contentOf(cursor, delimiter)
    // The iterator has no `return`: a reader that stops early must not end `content`, which `passOver` then reads to its end.
    yield ok({ ...head.value, content: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) } })
    passed = await passOver(content)
  }
  yield err(passed.error)
}

type Read<T, E> = Promise<Result<T, E>>

/** Takes the first boundary and what stands before it. */
async function passPreamble<E>(cursor: Cursor<E>, delimiter: Buffer): Read<void, E> {
  for (;;) {
    const found = cursor.held.indexOf(delimiter)
    const skipped = found === -1 ? cursor.held.length - delimiter.length : found
    if (skipped > skippedMaxBytes) return err(cursor.malformed)
    if (found !== -1) {
      cursor.take(found + delimiter.length)
      return ok()
    }
    const more = await cursor.hold(cursor.held.length + 1)
    if (more.isErr()) return err(more.error)
  }
}

/** What follows a boundary: the head of a part, or the end of the body. */
async function nextHead<E>(cursor: Cursor<E>): Read<PartHead | 'end', E> {
  const held = await cursor.hold(crlf.length)
  if (held.isErr()) return err(held.error)
  if (cursor.held.subarray(0, closing.length).equals(closing)) return readEnd(cursor)
  const lineEnd = await passPadding(cursor)
  if (lineEnd.isErr()) return err(lineEnd.error)
  return cursor.take(crlf.length).equals(crlf) ? readHead(cursor) : err(cursor.malformed)
}

/** Takes the spaces and tabs that a gateway has put behind a boundary, and holds what may be the end of its line. */
async function passPadding<E>(cursor: Cursor<E>): Read<void, E> {
  for (let padding = 0; padding <= skippedMaxBytes; padding += 1) {
    const held = await cursor.hold(crlf.length)
    if (held.isErr()) return held
    if (!' \t'.includes(String.fromCharCode(cursor.held[0] ?? 0))) return ok()
    cursor.take(1)
  }
  return err(cursor.malformed)
}

/** The end of the body: nothing, or a line break with anything after it. */
async function readEnd<E>(cursor: Cursor<E>): Read<'end', E> {
  cursor.take(closing.length)
  while (cursor.held.length <= skippedMaxBytes) {
    const more = await cursor.more()
    if (more.isErr()) return err(more.error)
    if (!more.value)
      return /^[ \t]*(?:\r\n|$)/.test(cursor.held.toString('latin1')) ? ok('end') : err(cursor.malformed)
  }
  return err(cursor.malformed)
}

async function readHead<E>(cursor: Cursor<E>): Read<PartHead, E> {
  for (;;) {
    const end = cursor.held.subarray(0, headMaxBytes).indexOf(headEnd)
    if (end !== -1) {
      const head = parsePartHead(cursor.take(end + headEnd.length).subarray(0, end))
      return head === undefined ? err(cursor.malformed) : ok(head)
    }
    if (cursor.held.length >= headMaxBytes) return err(cursor.malformed)
    const more = await cursor.hold(cursor.held.length + 1)
    if (more.isErr()) return err(more.error)
  }
}

/** The content of a part, up to the next boundary, which it takes. */
async function* contentOf<E>(
  cursor: Cursor<E>,
  delimiter: Buffer,
): AsyncGenerator<Result<Uint8Array, E>, void, void> {
  for (;;) {
    const found = cursor.held.indexOf(delimiter)
    const piece = cursor.take(found === -1 ? cursor.held.length - begunBytes(cursor.held, delimiter) : found)
    if (found !== -1) cursor.take(delimiter.length)
    if (piece.length > 0) yield ok(piece)
    if (found !== -1) return
    const more = await cursor.hold(cursor.held.length + 1)
    if (more.isErr()) return yield err(more.error)
  }
}

/** How many bytes at the end may begin a delimiter. Only its first byte is a carriage return. */
function begunBytes(bytes: Buffer, delimiter: Buffer): number {
  const end = bytes.subarray(-delimiter.length)
  const start = end.lastIndexOf(delimiter.subarray(0, 1))
  const begun = start === -1 ? crlf.subarray(0, 0) : end.subarray(start)
  return delimiter.subarray(0, begun.length).equals(begun) ? begun.length : 0
}

/** Reads what is left of a content. */
async function passOver<E>(content: AsyncIterable<Result<Uint8Array, E>>): Promise<Result<void, E>> {
  for await (const piece of content) if (piece.isErr()) return err(piece.error)
  return ok()
}
