import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ShareableSecret, Sotto } from '@sotto/core'
import { fromWireNewSecret, newSecretSchema, toWireSecret } from '@sotto/wire'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { sendData, sendProblem } from '../http/answers.ts'
import { sendError } from '../http/errors.ts'
import { callerOf } from './gate.ts'
import { parseJsonBody, validatorCompiler } from './json-body.ts'
import { sendList } from './list-answer.ts'
import type { ListScheduler } from './list-scheduler.ts'
import { newSecretProblem } from './new-secret-problem.ts'

export interface SecretRoutesOptions {
  readonly sotto: Pick<Sotto, 'policy' | 'listSecrets' | 'getSecret' | 'checkNewSecret' | 'createSecret'>
  readonly lists: ListScheduler
  /** The origin on which links are opened. */
  readonly linkBaseUrl: string
}

/** GET /secrets, GET /secret/{id}, POST /secret */
export function secretRoutes(app: FastifyInstance, { sotto, lists, linkBaseUrl }: SecretRoutesOptions): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const body = newSecretSchema(sotto.policy)

  typed.route({
    method: ['GET', 'HEAD'],
    url: '/secrets',
    handler: (request, reply) => {
      const { accountId } = callerOf(request)
      const toWire = (secret: ShareableSecret) => toWireSecret(secret, linkBaseUrl)
      return sendList(reply, { read: () => sotto.listSecrets({ accountId }), toWire, scheduler: lists })
    },
  })

  typed.route({
    method: ['GET', 'HEAD'],
    url: '/secret/:id',
    schema: { params: Type.Object({ id: Type.String() }) },
    validatorCompiler,
    handler: async (request, reply) => {
      const secret = await sotto.getSecret({ accountId: callerOf(request).accountId, id: request.params.id })
      if (secret.isErr()) return sendError(reply, secret.error)
      return sendData(reply, 200, toWireSecret(secret.value, linkBaseUrl))
    },
  })

  typed.route({
    method: 'POST',
    url: '/secret',
    schema: { body },
    validatorCompiler,
    attachValidation: true,
    preValidation: parseJsonBody,
    handler: async (request, reply) => {
      const { accountId } = callerOf(request)
      if (request.validationError !== undefined) {
        const problem = await newSecretProblem(sotto, accountId, body, request.body)
        if (problem.isErr()) return sendError(reply, problem.error)
        if (problem.value !== undefined) return sendProblem(reply, problem.value)
      }
      const created = await sotto.createSecret({ accountId, ...fromWireNewSecret(request.body) })
      if (created.isErr()) return sendError(reply, created.error)
      reply.header('location', `${app.prefix}/secret/${created.value.id}`)
      return sendData(reply, 201, toWireSecret(created.value, linkBaseUrl))
    },
  })
}
