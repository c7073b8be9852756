import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { ok } from 'neverthrow'
import type { Test } from 'tap'
import type { FileStore, Pieces } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'

/** Ids of files of one directory, in their order. */
export const idOf = (nth: number) => `0192f3c4-0000-7000-8000-00000000000${nth}`
/** The first of them. */
export const id = idOf(1)
/** Every byte of a content. */
export const all = { start: 0, end: 1e9 }

/** A content as it arrives. */
export async function* content(...pieces: readonly (Uint8Array | string)[]) {
  for (const piece of pieces) yield await Promise.resolve(ok(Buffer.from(piece)))
}

/** What is read, as text. */
export async function textOf(pieces: Pieces<unknown>): Promise<string> {
  const read: Uint8Array[] = []
  for await (const piece of pieces) read.push(expectOk(piece))
  return Buffer.concat(read).toString()
}

/** The ids on the first page. */
export async function listed(files: FileStore): Promise<readonly string[]> {
  return expectOk(await files.page(undefined, 100)).map(({ id }) => id)
}

interface Watched {
  /** Called before a file or directory is opened. */
  readonly before?: (path: string) => void
  /** Called instead of its `sync`. */
  readonly sync?: (path: string) => void
  /** How many of so many bytes are written. */
  readonly write?: (bytes: number) => number
}

/** Watches what the store does to files until the test ends. */
export function watchOpen(t: Test, { before, sync, write }: Watched): void {
  const { open } = promises
  const opened: typeof open = async (...args) => {
    before?.(String(args[0]))
    const file = await open(...args)
    if (sync !== undefined) file.sync = () => Promise.resolve().then(() => sync(String(args[0])))
    if (write === undefined) return file
    const whole = file.write.bind(file) as (bytes: Buffer, at: number, length: number) => Promise<unknown>
    const part = (bytes: Buffer, at: number) => whole(bytes, at, write(bytes.length - at))
    return Object.assign(file, { write: part })
  }
  replace(t, { open: opened })
}

/** Replaces functions of `node:fs/promises` until the test ends. */
export function replace(t: Test, functions: Partial<Record<keyof typeof promises, unknown>>): void {
  const originals = Object.fromEntries(
    Object.keys(functions).map((name) => [name, promises[name as keyof typeof promises]]),
  )
  Object.assign(promises, functions)
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(promises, originals)
    syncBuiltinESMExports()
  })
}

/** What the store makes of `EIO`. */
export const failed = { code: 'storage_unavailable', reason: 'disk_failed', detail: 'EIO' } as const

/** What the file system throws. */
export function systemError(code: string, errno = 0): Error {
  return Object.assign(new Error(code), { code, errno, syscall: 'fsync' })
}
