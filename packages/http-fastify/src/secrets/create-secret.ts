import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { CreatedOnce, NewSecret } from '@sotto/core'
import { fromWireNewSecret, newSecretSchema, newSecretWithFilesSchema, toWireSecret } from '@sotto/wire'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Result } from 'neverthrow'
import { sendData, sendError, sendProblem } from '../http/answers/answers.ts'
import type { ApiUseCases } from '../use-cases.ts'
import type { Authenticate } from '../api/authentication.ts'
import { callerOf, createLateRefusal } from '../api/gate.ts'
import {
  createReadJsonBody,
  createWithKey,
  idempotencyKeyOf,
  newSecretProblem,
  validatorCompiler,
} from './new-secret.ts'
import {
  createReadSecretPart,
  createWithFiles,
  formOf,
  isMultipart,
  type CreateError,
} from './secret-with-files.ts'

export interface CreateSecretOptions {
  readonly sotto: ApiUseCases
  readonly authenticate: Authenticate
  /** The origin on which links are opened. */
  readonly linkBaseUrl: string
  /** Whether audit lines carry the client's address. */
  readonly logAddresses?: boolean | undefined
}

/** POST /secret: JSON, or a form of JSON and files. It begins when the gate has let a request in. */
export function addCreateSecret(
  app: FastifyInstance,
  { sotto, linkBaseUrl, ...gate }: CreateSecretOptions,
): void {
  const body = newSecretSchema(sotto.policy)
  const ofForm = newSecretWithFilesSchema(sotto.policy)
  const readJsonBody = createReadJsonBody(sotto.policy)
  const readSecretPart = createReadSecretPart(sotto.policy)
  const lateRefusal = createLateRefusal(gate)
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'POST',
    url: '/secret',
    config: { takesFiles: true },
    schema: { body },
    validatorCompiler,
    attachValidation: true,
    preValidation: (request, reply) =>
      isMultipart(request) ? readSecretPart(request, reply) : readJsonBody(request, reply),
    handler: async (request, reply) => {
      const { accountId } = callerOf(request)
      const key = idempotencyKeyOf(request)
      const form = formOf(request)
      const isForm = form !== undefined
      if (request.validationError !== undefined) {
        const given = { schema: isForm ? ofForm : body, body: request.body, isForm, key }
        const problem = await newSecretProblem(sotto, accountId, given)
        if (problem.isErr()) return sendError(reply, problem.error)
        if (problem.value !== undefined) return sendProblem(reply, problem.value)
      }
      const input = { ...fromWireNewSecret(request.body), accountId }
      if (!isForm) return sendCreated(reply, await createWithKey(sotto, input, key))
      const own = { ...form, refusal: () => lateRefusal(request) }
      return sendCreated(reply, await createWithFiles(sotto, { ...input, note: noteOf(input) }, key, own))
    },
  })

  function sendCreated(
    reply: FastifyReply,
    created: Result<CreatedOnce, CreateError>,
  ): FastifyReply | Promise<FastifyReply> {
    if (created.isErr())
      return 'status' in created.error ? sendProblem(reply, created.error) : sendError(reply, created.error)
    const { secret, isReplayed } = created.value
    reply.header('location', `${app.prefix}/secret/${secret.id}`)
    if (isReplayed) reply.header('idempotent-replayed', 'true')
    return sendData(reply, 201, toWireSecret(secret, linkBaseUrl))
  }
}

/** The note of a form, which lacks one where a file says it all. */
function noteOf({ note = '' }: Partial<NewSecret>): string {
  return note
}
