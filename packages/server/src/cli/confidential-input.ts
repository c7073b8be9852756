import type { InputName, InputNotText, InputTooLong, LinesTooLong } from '../errors/errors.ts'
import type { Readable } from 'node:stream'
import { bounds } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'

export interface ConfidentialInput {
  /** The lines, as many as were asked for, without their ends; a line that is not there is empty. */
  readonly lines: readonly string[]
  readonly note: string
}

/** The longest line, before a note or without one. No label is longer than a password; a service takes addresses of 2,048 bytes. */
const lineMaxBytes = 2 * bounds.passwordMaxBytes + 2

/**
 * Reads a note from standard input, including its last line break. With `lines`, that many lines come before it, each ended by LF or CRLF:
 * a label, a password. As arguments they would appear in process lists and in the shell's history. Stops reading as soon as the input is
 * too long.
 */
export async function readConfidentialInput(
  stdin: Readable,
  {
    lines: count,
    noteMaxBytes,
    name = 'standard input',
  }: { readonly lines: number; readonly noteMaxBytes: number; readonly name?: InputName },
): Promise<Result<ConfidentialInput, InputNotText | InputTooLong>> {
  const bytes = await readAtMost(stdin, noteMaxBytes + count * lineMaxBytes)
  if (bytes === undefined) return err({ code: 'input_too_long', noteMaxBytes })
  const { lines, rest } = firstLinesOf(bytes, count)
  if (rest.includes(0)) return err({ code: 'input_not_text', fault: 'the text must not contain NUL' })
  return textsOf([...lines, rest], name).map((texts) => ({
    lines: texts.slice(0, count),
    note: texts[count] ?? '',
  }))
}

/** Reads the first lines of standard input, without their ends, and nothing after them. A line that is not there is empty. */
export async function readLines(
  stdin: Readable,
  count: number,
): Promise<Result<readonly string[], InputNotText | LinesTooLong>> {
  const bytes = count === 0 ? Buffer.alloc(0) : await readAtMost(stdin, count * lineMaxBytes, count)
  if (bytes === undefined) return err({ code: 'lines_too_long' })
  return textsOf(firstLinesOf(bytes, count).lines, 'standard input')
}

/** Stops after `lines` line breaks. `undefined` when it is longer than that and than `maxBytes`; the stream is destroyed then. */
async function readAtMost(stdin: Readable, maxBytes: number, lines = Infinity): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  let ended = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    ended += chunk.toString('latin1').split('\n').length - 1
    if (ended >= lines) break
    if (length > maxBytes) return undefined
  }
  return Buffer.concat(chunks)
}

function firstLinesOf(bytes: Buffer, count: number): { readonly lines: Buffer[]; readonly rest: Buffer } {
  const lines: Buffer[] = []
  let rest = bytes
  while (lines.length < count) {
    const end = rest.indexOf(0x0a)
    const lineEnd = end > 0 && rest[end - 1] === 0x0d ? end - 1 : end
    lines.push(end === -1 ? rest : rest.subarray(0, lineEnd))
    rest = end === -1 ? rest.subarray(rest.length) : rest.subarray(end + 1)
  }
  return { lines, rest }
}

function textsOf(parts: readonly Buffer[], name: InputName): Result<readonly string[], InputNotText> {
  const texts = parts.map(textOf)
  if (texts.every((text) => text !== undefined)) return ok(texts)
  return err({ code: 'input_not_text', fault: `${name} is not valid UTF-8` })
}

/** The text of bytes. A byte order mark is part of it. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
