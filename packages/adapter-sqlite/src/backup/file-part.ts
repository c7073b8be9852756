import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import type { Pieces, Uuid } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { FileCorrupted } from '../connection/errors.ts'
import { writeAll } from '../files/file-store.ts'
import { uuidBytes, uuidText } from '../engine/codec.ts'

/**
 * A backup has the contents of files behind its database, where there are any: a mark, then each content by id, and at the end the SHA-256
 * digest of all that. A content is its id, its length (8 bytes, big-endian) and its bytes. For one that was dropped while the backup was
 * made, the length is {@link goneLength}, for one that was missing {@link missingLength}, and no bytes follow. SQLite reads no further than
 * the pages that its header counts.
 */
const mark = Buffer.from('Sotto contents 1', 'latin1')
const goneLength = 0xffff_ffff_ffff_ffffn
const missingLength = 0xffff_ffff_ffff_fffen
const headLength = 24
const digestLength = 32

/** How many bytes are read at once. */
const readLength = 262_144

/** Writes the contents of files behind a database. It is closed once, whatever happens. */
export interface FilePartWriter {
  /**
   * Copies a content of this many bytes.
   * @errors what `content` yields; `file_missing` changes nothing
   */
  add<E>(id: Uuid, length: number, content: Pieces<E>): Promise<Result<void, E>>
  /** Notes that there is no content: it was dropped meanwhile, or is missing. */
  addNone(id: Uuid, why: 'gone' | 'missing'): Promise<void>
  /** Writes the end, and has all of it on the disk. Without a content nothing is written. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** Begins to write behind the database `path`, which nobody changes from now on. Rejects with the errors of the file system, as all methods do. */
export async function writeFilePart(path: string): Promise<FilePartWriter> {
  const file = await open(path, 'a')
  const digest = createHash('sha256')
  let isBegun = false
  const write = async (bytes: Uint8Array): Promise<void> => {
    digest.update(bytes)
    await writeAll(file, bytes)
  }
  const begin = async (id: Uuid, length: bigint): Promise<void> => {
    if (!isBegun) await write(mark)
    isBegun = true
    const head = Buffer.alloc(headLength)
    head.set(uuidBytes(id))
    head.writeBigUInt64BE(length, headLength - 8)
    await write(head)
  }
  return {
    async add(id, length, content) {
      let written: number | undefined
      for await (const piece of content) {
        if (piece.isErr()) return err(piece.error)
        if (written === undefined) await begin(id, BigInt(length))
        await write(piece.value)
        written = (written ?? 0) + piece.value.length
      }
      if (written === undefined) await begin(id, BigInt(length))
      if ((written ?? 0) !== length) throw new FileCorrupted('the content of a file was cut off')
      return ok()
    },
    addNone: (id, why) => begin(id, why === 'gone' ? goneLength : missingLength),
    async finish() {
      if (!isBegun) return
      await writeAll(file, digest.digest())
      await file.sync()
    },
    close: () => file.close(),
  }
}

/** Where a content is in a backup. */
interface Content {
  readonly start: number
  readonly length: number
}

/** The contents of files that a backup has. */
export interface FilePart {
  readonly contents: ReadonlyMap<Uuid, Content>
  /** The contents that were dropped while the backup was made. */
  readonly gone: readonly Uuid[]
  /** The contents that were missing. */
  readonly missing: ReadonlySet<Uuid>
  /** The bytes of all contents. */
  readonly bytes: number
}

/** Reads and verifies what follows the database of a backup. Err with what is wrong. Rejects with the errors of the file system. */
export async function readFilePart(path: string, start: number): Promise<Result<FilePart, string>> {
  const { size } = await stat(path)
  if (size === start) return ok({ contents: new Map(), gone: [], missing: new Set(), bytes: 0 })
  const file = await open(path, 'r')
  try {
    return await verified(file, start, size - digestLength)
  } finally {
    await file.close()
  }
}

/** @param end where the digest begins */
async function verified(file: FileHandle, start: number, end: number): Promise<Result<FilePart, string>> {
  const contents = new Map<Uuid, Content>()
  const gone: Uuid[] = []
  const missing = new Set<Uuid>()
  let bytes = 0
  const digest = createHash('sha256')
  let at = start
  const read = async (length: number): Promise<Buffer> => {
    const found = await readAt(file, at, length)
    digest.update(found)
    at += length
    return found
  }
  if (end - start < mark.length || !(await read(mark.length)).equals(mark))
    return err('what follows the database is not the contents of files')
  while (at + headLength <= end) {
    const head = await read(headLength)
    const id = uuidText(head.subarray(0, 16))
    const length = head.readBigUInt64BE(headLength - 8)
    if (length === goneLength) gone.push(id)
    else if (length === missingLength) missing.add(id)
    else if (length > BigInt(end - at)) return err('it is cut off in the contents of files')
    else {
      const content = { start: at, length: Number(length) }
      contents.set(id, content)
      for await (const piece of piecesOf(file, content)) digest.update(piece)
      at += content.length
      bytes += content.length
    }
  }
  if (at !== end || !(await readAt(file, at, digestLength)).equals(digest.digest()))
    return err('the contents of files have another digest')
  return ok({ contents, gone, missing, bytes })
}

/** The bytes of a content that {@link readFilePart} has found. Rejects with the errors of the file system. */
export async function* readContent(path: string, content: Content): AsyncGenerator<Buffer, void> {
  const file = await open(path, 'r')
  try {
    yield* piecesOf(file, content)
  } finally {
    await file.close()
  }
}

async function* piecesOf(file: FileHandle, { start, length }: Content): AsyncGenerator<Buffer, void> {
  for (let at = start; at < start + length;) {
    const bytes = await readAt(file, at, Math.min(readLength, start + length - at))
    at += bytes.length
    yield bytes
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  for (let read = 0; read < length;) {
    const { bytesRead } = await file.read(buffer, read, length - read, at + read)
    if (bytesRead === 0) throw new FileCorrupted('it is cut off')
    read += bytesRead
  }
  return buffer
}
