import {
  filesMax,
  type FilePolicy,
  type FilesFull,
  type FileTooLarge,
  type NewFiles,
  type UploadBroken,
} from '@sotto/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { err, ok, type Result } from 'neverthrow'
import { problems, type Problem } from '../answers/problems.ts'
import { bufferFor, createBodyBuffer, type BodyBuffer } from './bodies.ts'
import { waitsForContinue } from './continue.ts'
import { drain } from './drain.ts'
import type { FormFields } from './form.ts'
import type { BodySender } from './incoming.ts'
import { filesOf, hold, partsIn, readIncomingForm, type IncomingForm } from './incoming-form.ts'
import type { Part } from './multipart.ts'
import { limitsOf } from './server-limits.ts'

/** The name of the field that files are chosen in. It is the last one of its form, so that the server knows all others before a file arrives. */
export const fileFieldName = 'files'

/** A form that was sent. */
export interface SentForm {
  readonly fields: FormFields
  /** The form's files, if one was chosen. They arrive while they are read. */
  readonly files: NewFiles | undefined
}

/** How much a form may be. */
export interface FormBounds {
  /** The most bytes of all fields together. */
  readonly maxBytes: number
  /** The most fields. */
  readonly maxFields: number
}

/**
 * Reads the fields of a form of `multipart/form-data`, all of which come before its files, and leaves the files to be read.
 * @throws an error with a `statusCode` as `readBody` does
 */
export async function readFormWithFiles(
  reply: FastifyReply,
  boundary: string | undefined,
  { maxBytes, maxFields, sender }: FormBounds & { readonly sender: BodySender },
): Promise<Result<SentForm, Problem>> {
  if (boundary === undefined) return err(problems.badMultipart)
  const form = readIncomingForm(reply, boundary, sender)
  const buffer = bufferFor(reply, maxBytes, limitsOf(reply.server.server).uploadTexts)
  return readSentForm(form, buffer, { maxFields, isField: () => true, isFile: isFormFile })
}

/** Whether a part is a file that was chosen in a form. */
export function isFormFile({ name }: Part<UploadBroken>): boolean {
  return name === fileFieldName
}

/** The parts that a form may have. */
export interface FormParts extends Pick<FormBounds, 'maxFields'> {
  /** Whether a part without a file may be a field. */
  isField(part: Part<UploadBroken>): boolean
  /** Whether a part after these fields may be a file. */
  isFile(part: Part<UploadBroken>, fields: FormFields): boolean
}

/** The fields of a form, as {@link readFormWithFiles} reads them. @param buffer for all fields together */
export async function readSentForm(
  form: IncomingForm,
  buffer: BodyBuffer,
  parts: FormParts,
): Promise<Result<SentForm, Problem>> {
  const read = await readFields(form, buffer, parts)
  // The files may take hours to arrive. The text is counted until then.
  buffer.becomeText()
  if (read.isErr()) return err(form.problem())
  const { fields, firstFile } = read.value
  return ok({
    fields,
    files: firstFile && filesOf(form, (part) => parts.isFile(part, fields), firstFile),
  })
}

/** What the heads of all parts have at most, and the boundaries between them. */
const headsMaxBytes = 64 * 1024

/** What is wrong with a form whose files are too large together, by the length that its request announces. */
export function announcedProblem(
  { headers }: Pick<FastifyRequest, 'headers'>,
  textMaxBytes: number,
  { maxBytes = 0, accountMaxBytes = 0 }: Partial<FilePolicy> = {},
): FilesFull | FileTooLarge | undefined {
  const filesBytes = Number(headers['content-length'] ?? 0) - textMaxBytes - headsMaxBytes
  if (filesBytes > accountMaxBytes) return { code: 'files_full', maxBytes: accountMaxBytes }
  return filesBytes > filesMax * maxBytes ? { code: 'file_too_large', maxBytes } : undefined
}

/** What arrives of a refused form while its body is drained: its fields, and whether files follow. No field of one that cannot be read. */
export async function readRefusedForm(
  reply: FastifyReply,
  boundary: string | undefined,
  { maxBytes, maxFields }: FormBounds,
): Promise<{ readonly fields: FormFields; readonly hasFiles: boolean }> {
  if (boundary === undefined) return nothing
  const { raw } = reply.request
  // The sender gets the answer instead of `100 Continue`.
  if (await waitsForContinue(raw)) return nothing
  const buffer = bufferFor(reply, maxBytes, limitsOf(reply.server.server).refusedForms)
  let wanted = maxBytes
  const add = (chunk: Uint8Array): void => {
    buffer.add(chunk.subarray(0, wanted))
    wanted = Math.max(0, wanted - chunk.length)
  }
  raw.on('data', add)
  await drain(raw)
  raw.off('data', add)
  const next = partsIn(piecesOf(buffer.bytes()), boundary)
  // These bytes are a part of what is held already.
  const texts = createBodyBuffer(maxBytes, { resize: () => true })
  const read = await readFields({ next }, texts, { maxFields, isField: () => true })
  if (read.isErr()) return nothing
  return { fields: read.value.fields, hasFiles: read.value.firstFile !== undefined }
}

const nothing = { fields: [], hasFiles: false } as const

// eslint-disable-next-line @typescript-eslint/require-await
async function* piecesOf(bytes: Uint8Array = new Uint8Array()) {
  yield ok<Uint8Array, UploadBroken>(bytes)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The fields up to the first file. Where none was chosen, browsers send a file without a name and content. */
async function readFields(
  form: Pick<IncomingForm, 'next'>,
  buffer: BodyBuffer,
  { maxFields, isField }: Pick<FormParts, 'maxFields' | 'isField'>,
): Promise<
  Result<
    { readonly fields: FormFields; readonly firstFile: Part<UploadBroken> | undefined },
    'bad_form' | UploadBroken
  >
> {
  const fields = new Map<string, string>()
  for (;;) {
    const part = await form.next()
    if (part.isErr()) return err(part.error)
    if (part.value === 'end') return ok({ fields: [...fields], firstFile: undefined })
    const { name, fileName, content } = part.value
    if (fileName !== undefined && fileName !== '') return ok({ fields: [...fields], firstFile: part.value })
    if (fileName === undefined && !isField(part.value)) return err('bad_form')
    const text = await textOf(content, buffer)
    const isBad = fileName === '' ? text !== '' || name !== fileFieldName : fields.has(name)
    if (text === undefined || isBad || fields.size === maxFields) return err('bad_form')
    if (fileName === undefined) fields.set(name, text)
  }
}

/** A content as text; `undefined` when it is not UTF-8, or does not arrive. */
async function textOf(
  content: Part<UploadBroken>['content'],
  buffer: BodyBuffer,
): Promise<string | undefined> {
  const start = buffer.bytes()?.length ?? 0
  if ((await hold(buffer, content)).isErr()) return undefined
  try {
    return utf8.decode(buffer.bytes()?.subarray(start))
  } catch {
    return undefined
  }
}
