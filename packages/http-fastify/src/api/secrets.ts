import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { CreatedOnce, CreateSecretInput, ErrorOf, ShareableSecret, Sotto } from '@sotto/core'
import { fromWireNewSecret, newSecretSchema, toWireSecret } from '@sotto/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { err, ok, type Result } from 'neverthrow'
import * as Type from 'typebox'
import { sendData, sendProblem } from '../http/answers.ts'
import { writeAudit } from '../http/audit.ts'
import { sendError } from '../http/errors.ts'
import { headerValues } from '../http/header-values.ts'
import { callerOf } from './gate.ts'
import { createReadJsonBody, validatorCompiler } from './json-body.ts'
import { sendList } from './list-answer.ts'
import type { ListScheduler } from './list-scheduler.ts'
import { newSecretProblem } from './new-secret-problem.ts'

export interface SecretRoutesOptions {
  readonly sotto: Pick<
    Sotto,
    | 'policy'
    | 'listSecrets'
    | 'getSecret'
    | 'destroySecret'
    | 'checkNewSecret'
    | 'createSecret'
    | 'createSecretOnce'
  >
  readonly lists: ListScheduler
  /** The origin on which links are opened. */
  readonly linkBaseUrl: string
  /** Whether audit lines carry the client's address. */
  readonly logAddresses?: boolean | undefined
}

/** GET /secrets, GET and DELETE /secret/{id}, POST /secret */
export function secretRoutes(
  app: FastifyInstance,
  { sotto, lists, linkBaseUrl, logAddresses }: SecretRoutesOptions,
): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const body = newSecretSchema(sotto.policy)

  typed.route({
    method: ['GET', 'HEAD'],
    url: '/secrets',
    config: { isList: true },
    handler: (request, reply) => {
      const { accountId } = callerOf(request)
      const toWire = (secret: ShareableSecret) => toWireSecret(secret, linkBaseUrl)
      return sendList(reply, { read: () => sotto.listSecrets({ accountId }), toWire, scheduler: lists })
    },
  })

  const params = Type.Object({ id: Type.String() })
  typed.route({
    method: ['GET', 'HEAD'],
    url: '/secret/:id',
    schema: { params },
    validatorCompiler,
    handler: async (request, reply) => {
      const secret = await sotto.getSecret({ accountId: callerOf(request).accountId, id: request.params.id })
      if (secret.isErr()) return sendError(reply, secret.error)
      return sendData(reply, 200, toWireSecret(secret.value, linkBaseUrl))
    },
  })

  typed.route({
    method: 'DELETE',
    url: '/secret/:id',
    schema: { params },
    validatorCompiler,
    handler: async (request, reply) => {
      const { accountId } = callerOf(request)
      const destroyed = await sotto.destroySecret({ accountId, id: request.params.id })
      if (destroyed.isErr()) return sendError(reply, destroyed.error)
      const ids = { account_id: accountId, secret_id: destroyed.value.id }
      writeAudit(request.log, 'secret_destroyed', { ids, address: logAddresses ? request.ip : undefined })
      return sendData(reply, 200, toWireSecret(destroyed.value, linkBaseUrl))
    },
  })

  typed.route({
    method: 'POST',
    url: '/secret',
    schema: { body },
    validatorCompiler,
    attachValidation: true,
    preValidation: createReadJsonBody(sotto.policy),
    handler: async (request, reply) => {
      const { accountId } = callerOf(request)
      const key = idempotencyKeyOf(request)
      if (request.validationError !== undefined) {
        const problem = await newSecretProblem(sotto, accountId, { schema: body, body: request.body, key })
        if (problem.isErr()) return sendError(reply, problem.error)
        if (problem.value !== undefined) return sendProblem(reply, problem.value)
      }
      const created = await create(sotto, { accountId, ...fromWireNewSecret(request.body) }, key)
      if (created.isErr()) return sendError(reply, created.error)
      const { secret, isReplayed } = created.value
      reply.header('location', `${app.prefix}/secret/${secret.id}`)
      if (isReplayed) reply.header('idempotent-replayed', 'true')
      return sendData(reply, 201, toWireSecret(secret, linkBaseUrl))
    },
  })
}

/** The header `Idempotency-Key`; `undefined` without one. Two of them are joined by a comma and a space, which no key may contain. */
function idempotencyKeyOf({ raw }: FastifyRequest): string | undefined {
  const values = headerValues(raw, 'idempotency-key')
  return values.length === 0 ? undefined : values.join(', ')
}

async function create(
  sotto: SecretRoutesOptions['sotto'],
  input: CreateSecretInput,
  idempotencyKey: string | undefined,
): Promise<Result<CreatedOnce, ErrorOf<Sotto['createSecretOnce']>>> {
  if (idempotencyKey !== undefined) return sotto.createSecretOnce({ ...input, idempotencyKey })
  const created = await sotto.createSecret(input)
  return created.isErr() ? err(created.error) : ok({ secret: created.value, isReplayed: false })
}
