import type { NewFiles, Uuid } from '@sotto/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Result } from 'neverthrow'
import {
  type Problem,
  readBody,
  readRefusedBody,
  parseForm,
  type FormFields,
  allowedAtEnd,
  isPlainForm,
  multipartOf,
  readFormWithFiles,
  readRefusedForm,
  type FormBounds,
  type SentForm,
} from '@sotto/http-fastify/plugin'
import type { Refusal } from './admission.ts'
import type { Answer } from './answers.ts'
import { keepingForm, statusAnswer } from './errors.ts'
import { fieldsOf } from './form.ts'
import type { Visit } from './visit.ts'

/** Answers a form. `files` are those of a form that has some. They arrive while they are read, after all fields. */
export type Post<V extends Visit> = (visit: V, fields: FormFields, files?: NewFiles) => Promise<Answer>

/** What stands before the handlers of a path. */
export interface Gate<V extends Visit> {
  /** Whether `?lang=` chooses the language; false by default. Owners choose it in the settings. */
  readonly takesLanguage?: boolean
  /** The account that sends the files of a form; `undefined` where no form may have files. */
  readonly uploaderOf?: ((visit: V) => Uuid) | undefined
  /** Admits a visit to a handler, or refuses it. */
  admit(visit: Visit): Promise<V | Refusal>
  /** Counts a form that can be read. The answer when there were too many. */
  count(visit: V): Promise<Answer | undefined>
}

/** A form that a request may have, not read yet. */
export interface UnreadForm extends FormBounds {
  readonly reply: FastifyReply
}

/** A form is read once its sender is admitted: nobody else makes the server hold long ones. */
export async function answerForm<V extends Visit>(
  { visit, form }: { readonly visit: Visit; readonly form: UnreadForm },
  post: Post<V>,
  gate: Gate<V>,
): Promise<Answer> {
  const { request, localized } = visit
  const admitted = await gate.admit(visit)
  const multipart = gate.uploaderOf && multipartOf(request.raw)
  if (typeof admitted === 'function') return refuseForm(visit, form, admitted, multipart)
  const sent = await (gate.uploaderOf === undefined || multipart === undefined
    ? readForm(request, form)
    : readFormWithFiles(form.reply, multipart.boundary, {
        ...form,
        sender: { accountId: gate.uploaderOf(admitted) },
      }))
  if (sent.isErr()) return statusAnswer(localized, sent.error.status)
  const { fields, files } = sent.value
  const late = files && admittedAtEnd(files, () => admitAgain(gate, visit, admitted))
  const answered = (await gate.count(admitted)) ?? (await post(admitted, fields, late?.files))
  const refusal = await late?.refusal()
  return keepingForm(admitted, refusal?.(fields, true) ?? answered, fields, files !== undefined)
}

/** Admits the sender once more. Where the host application signs its users in, another user may have signed in meanwhile. */
async function admitAgain<V extends Visit>(
  { admit, uploaderOf }: Gate<V>,
  visit: Visit,
  before: V,
): Promise<Visit | Refusal> {
  const again = await admit(visit)
  const isOther = typeof again !== 'function' && uploaderOf?.(again) !== uploaderOf?.(before)
  return isOther ? () => statusAnswer(visit.localized, 401) : again
}

/**
 * The files, and the refusal of their sender, who is admitted again once all are here or the rest is not read: a session may end while they
 * arrive.
 */
function admittedAtEnd(
  files: NewFiles,
  admit: () => Promise<Visit | Refusal>,
): { readonly files: NewFiles; refusal(): Promise<Refusal | undefined> } {
  let again: Promise<Visit | Refusal> | undefined
  const refusal = async (): Promise<Refusal | undefined> => {
    const admitted = await (again ??= admit())
    return typeof admitted === 'function' ? admitted : undefined
  }
  return { files: allowedAtEnd(files, async () => (await refusal()) === undefined), refusal }
}

async function readForm(
  request: FastifyRequest,
  { reply, maxBytes, maxFields }: UnreadForm,
): Promise<Result<SentForm, Problem>> {
  return fieldsOf(request, await readBody(reply, maxBytes), maxFields).map((fields) => ({
    fields,
    files: undefined,
  }))
}

/** The refusal keeps what was typed, as far as it is there when the refusal can be sent. */
async function refuseForm(
  visit: Visit,
  form: UnreadForm,
  refusal: Refusal,
  multipart: ReturnType<typeof multipartOf>,
): Promise<Answer> {
  if (multipart !== undefined) {
    const { fields, hasFiles } = await readRefusedForm(form.reply, multipart.boundary, form)
    return keepingForm(visit, refusal(fields, hasFiles), fields, hasFiles)
  }
  const { reply, maxBytes, maxFields } = form
  const body = isPlainForm(visit.request.raw) ? await readRefusedBody(reply, maxBytes) : undefined
  const fields = body === undefined ? [] : parseForm(body, maxFields).unwrapOr([])
  return keepingForm(visit, refusal(fields), fields)
}
