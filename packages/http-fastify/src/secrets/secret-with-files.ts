import {
  idempotencyKeyErrors,
  type CreatedOnce,
  type CreateSecretInput,
  type ErrorOf,
  type Policy,
  type Sotto,
  type UploadBroken,
} from '@sotto/core'
import { fieldMessages } from '@sotto/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { err, ok, type Result } from 'neverthrow'
import { sendProblem } from '../http/answers/answers.ts'
import { fieldsProblem, isOutcomeUnknown, problemOf } from '../http/answers/problems-of-errors.ts'
import { problems, type Problem } from '../http/answers/problems.ts'
import { bufferFor } from '../http/bodies/bodies.ts'
import { announcedProblem } from '../http/bodies/form-with-files.ts'
import {
  allowedAtEnd,
  filesOf,
  hold,
  readIncomingForm,
  type IncomingForm,
} from '../http/bodies/incoming-form.ts'
import type { Part } from '../http/bodies/multipart.ts'
import { limitsOf } from '../http/bodies/server-limits.ts'
import { parseStrictJson } from '../http/bodies/strict-json.ts'
import { isJsonType, multipartOf } from '../http/request/headers.ts'
import type { ApiUseCases } from '../use-cases.ts'
import { callerOf, type LateRefusal } from '../api/gate.ts'
import { bodyMaxBytes, createWithKey } from './new-secret.ts'

const formKey = 'sottoForm'

/** The arguments of `decorateRequest` that make room for a form. */
export const formDecorator = [formKey, null] as const

/** The form of which `createReadSecretPart` has read the first part; `undefined` for a request in JSON. */
export function formOf(request: FastifyRequest): IncomingForm | undefined {
  return request.getDecorator<IncomingForm | null>(formKey) ?? undefined
}

/** Whether a request that the gate has let in is a form. */
export function isMultipart({ headers }: FastifyRequest): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '')
}

/** Makes a hook `preValidation` that reads the JSON of the part `secret`, which comes first. The files stay unread. */
export function createReadSecretPart(policy: Policy) {
  const secretMaxBytes = bodyMaxBytes(policy)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const tooLarge = announcedProblem(request, secretMaxBytes, policy.files)
    if (tooLarge !== undefined) return sendProblem(reply, problemOf(tooLarge))
    const { boundary } = multipartOf(request.raw) ?? {}
    if (boundary === undefined) return sendProblem(reply, problems.badMultipart)
    const form = readIncomingForm(reply, boundary, { accountId: callerOf(request).accountId })
    const part = await form.next()
    if (part.isErr()) return sendProblem(reply, form.problem())
    if (part.value === 'end' || !isSecretPart(part.value)) return sendProblem(reply, secretMissing)
    const buffer = bufferFor(reply, secretMaxBytes, limitsOf(reply.server.server).uploadTexts)
    const held = await hold(buffer, part.value.content)
    if (held.isErr()) return sendProblem(reply, form.problem())
    const parsed = parseStrictJson(buffer.bytes() ?? new Uint8Array())
    // The files may take hours to arrive. The text is counted until then.
    buffer.becomeText()
    if (parsed.isErr()) return sendProblem(reply, parsed.error)
    request.body = parsed.value
    request.setDecorator(formKey, form)
    return undefined
  }
}

const secretMissing: Problem = {
  status: 400,
  message: 'The first part must be secret, with Content-Type: application/json or none.',
}
const notFile: Problem = {
  status: 400,
  message: 'Every part after secret must be named file, and have a filename.',
}

function isSecretPart({ name, type }: Part<UploadBroken>): boolean {
  return name === 'secret' && (type === undefined || isJsonType(type))
}

/** Why no secret is created. */
export type CreateError =
  ErrorOf<Sotto['createSecretOnce' | 'uploadFiles' | 'checkNewSecret']> | LateRefusal | Problem

/** A form, and the check of its caller once its files have arrived. */
interface CallersForm extends IncomingForm {
  refusal(): Promise<LateRefusal | undefined>
}

/**
 * Creates a secret with the files of its form, once for each idempotency key. Everything else is checked before the first file is read, and
 * after the last one the caller once more, and that there is a text or a file.
 */
export async function createWithFiles(
  sotto: Pick<
    ApiUseCases,
    'checkNewSecret' | 'isKeyUsed' | 'uploadFiles' | 'dropUpload' | 'createSecret' | 'createSecretOnce'
  >,
  input: CreateSecretInput,
  key: string | undefined,
  form: CallersForm,
): Promise<Result<CreatedOnce, CreateError>> {
  const { accountId } = input
  const checked = await sotto.checkNewSecret({ ...input, hasFiles: true })
  if (checked.isErr()) {
    // A request that is sent again is answered as the first one was, whatever became of its folder, as it is in JSON.
    const isUsed = key === undefined ? ok(false) : await sotto.isKeyUsed({ accountId, idempotencyKey: key })
    if (isUsed.isErr()) return err(isUsed.error)
    if (!isUsed.value) return err(checked.error)
  }
  const keyErrors = key === undefined ? [] : idempotencyKeyErrors(key)
  if (keyErrors.length > 0) return err(fieldsProblem(fieldMessages(keyErrors)))
  let reason: LateRefusal | Problem | undefined
  const isFile = ({ name, fileName }: Part<UploadBroken>): boolean => {
    if (name !== 'file' || fileName === undefined) reason = notFile
    return reason === undefined
  }
  const isAllowed = async (): Promise<boolean> => {
    reason = await form.refusal()
    return reason === undefined
  }
  const files = allowedAtEnd(filesOf(form, isFile), isAllowed)
  const upload = await sotto.uploadFiles({ accountId, files, idempotencyKey: key })
  if (upload.isErr())
    return err(upload.error.code === 'upload_broken' ? (reason ?? form.problem()) : upload.error)
  const created = await createWithKey(sotto, { ...input, upload: upload.value }, key)
  // What cannot be dropped now is dropped by the sweep.
  if (isUnused(created)) await sotto.dropUpload(upload.value).unwrapOr(undefined)
  return created
}

/** Whether surely no secret has the uploaded files: an earlier request with the key created the secret, or this one failed. */
function isUnused(created: Awaited<ReturnType<typeof createWithKey>>): boolean {
  if (created.isOk()) return created.value.isReplayed
  return !isOutcomeUnknown(created.error)
}
