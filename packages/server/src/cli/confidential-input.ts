import type { Readable } from 'node:stream'
import { bounds } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'

/** Standard input is not UTF-8, so it cannot be stored unchanged. */
export interface InputNotUtf8 {
  readonly code: 'input_not_utf8'
}

/** Standard input is longer than a note and its password may be; the rest was not read. */
export interface InputTooLong {
  readonly code: 'input_too_long'
  readonly noteMaxBytes: number
}

export interface ConfidentialInput {
  readonly note: string
  /** `undefined` without `withPassword`. */
  readonly password: string | undefined
}

/** The longest line with a password, in bytes: the password and CRLF. */
const passwordLineMaxBytes = bounds.passwordMaxBytes + 2

/**
 * Reads a note from standard input, including its last line break; with `withPassword`, the first line, ended by LF or CRLF, is the
 * password. As arguments they would appear in process lists and in the shell's history. Stops reading as soon as the input is too long.
 */
export async function readConfidentialInput(
  stdin: Readable,
  { withPassword, noteMaxBytes }: { readonly withPassword: boolean; readonly noteMaxBytes: number },
): Promise<Result<ConfidentialInput, InputNotUtf8 | InputTooLong>> {
  const bytes = await readAtMost(stdin, noteMaxBytes + (withPassword ? passwordLineMaxBytes : 0))
  if (bytes === undefined) return err({ code: 'input_too_long', noteMaxBytes })
  const { line, rest } = withPassword ? firstLineOf(bytes) : { line: undefined, rest: bytes }
  const note = textOf(rest)
  const password = line === undefined ? undefined : textOf(line)
  if (note === undefined || (line !== undefined && password === undefined)) {
    return err({ code: 'input_not_utf8' })
  }
  return ok({ note, password })
}

async function readAtMost(stdin: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) return undefined // leaving the loop destroys the stream
  }
  return Buffer.concat(chunks)
}

function firstLineOf(bytes: Buffer): { readonly line: Buffer; readonly rest: Buffer } {
  const end = bytes.indexOf(0x0a)
  if (end === -1) return { line: bytes, rest: bytes.subarray(bytes.length) }
  const lineEnd = end > 0 && bytes[end - 1] === 0x0d ? end - 1 : end
  return { line: bytes.subarray(0, lineEnd), rest: bytes.subarray(end + 1) }
}

/** A byte order mark is part of the text. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
