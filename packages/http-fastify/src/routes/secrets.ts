import { createSecret, getSecret, listSecrets, type Ports } from '@sotto/core'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import { sendData, sendRefusal } from '../answers.ts'
import { sendFailure } from '../failures.ts'
import { callerOf } from '../gate.ts'
import { sendList } from '../list-answer.ts'
import { newSecretSchema } from '../schemas/new-secret.ts'
import { fromWireNewSecret, toWireSecret } from '../wire.ts'
import { newSecretFaults } from './new-secret-faults.ts'
import { parseJsonBody, validatorCompiler } from './json-body.ts'

export interface SecretRoutesOptions {
  readonly ports: Pick<
    Ports,
    'folders' | 'secrets' | 'secretCipher' | 'keyRing' | 'digests' | 'clock' | 'random' | 'limits'
  >
  /** The origin under which links are opened. */
  readonly linkBaseUrl: string
}

/** GET /secrets, GET /secret/{id}, POST /secret */
export function secretRoutes(app: FastifyInstance, { ports, linkBaseUrl }: SecretRoutesOptions): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const body = newSecretSchema(ports.limits)

  typed.route({
    method: ['GET', 'HEAD'],
    url: '/secrets',
    handler: (request, reply) => {
      const { accountId } = callerOf(request)
      return sendList(reply, listSecrets(ports, { accountId }), (secret) => toWireSecret(secret, linkBaseUrl))
    },
  })

  typed.route({
    method: ['GET', 'HEAD'],
    url: '/secret/:id',
    schema: { params: Type.Object({ id: Type.String() }) },
    validatorCompiler,
    handler: async (request, reply) => {
      const secret = await getSecret(ports, { accountId: callerOf(request).accountId, id: request.params.id })
      if (secret.isErr()) return sendFailure(reply, secret.error)
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
        const refusal = await newSecretFaults(ports, accountId, body, request.body)
        if (refusal.isErr()) return sendFailure(reply, refusal.error)
        if (refusal.value !== undefined) return sendRefusal(reply, refusal.value)
      }
      const created = await createSecret(ports, { accountId, ...fromWireNewSecret(request.body) })
      if (created.isErr()) return sendFailure(reply, created.error)
      reply.header('location', `${app.prefix}/secret/${created.value.id}`)
      return sendData(reply, 201, toWireSecret(created.value, linkBaseUrl))
    },
  })
}
