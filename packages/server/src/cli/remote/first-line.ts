import type { Readable } from 'node:stream'
import { err, type Result } from 'neverthrow'
import { readConfidentialInput, type InputNotUtf8, type InputTooLong } from '../confidential-input.ts'

/** The first line of standard input, without its end. What follows it is ignored, up to 1 KiB. */
export async function readFirstLine(stdin: Readable): Promise<Result<string, InputNotUtf8 | InputTooLong>> {
  const input = await readConfidentialInput(stdin, { withPassword: true, noteMaxBytes: 1_024 })
  return input.isErr() ? err(input.error) : input.map(({ password = '' }) => password)
}
