import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ShareableSecret } from '@sotto/core'
import { toWireFolder, toWireSecret } from '@sotto/wire'
import type { FastifyInstance } from 'fastify'
import * as Type from 'typebox'
import { sendData, sendError } from './http/answers/answers.ts'
import { writeAudit } from './http/answers/log.ts'
import { auditAddress } from './http/request/addresses.ts'
import { addCreateSecret, type CreateSecretOptions } from './secrets/create-secret.ts'
import { callerOf } from './api/gate.ts'
import type { Lists } from './api/lists/lists.ts'
import { validatorCompiler } from './secrets/new-secret.ts'

export interface EndpointOptions extends CreateSecretOptions {
  readonly lists: Lists
}

/** GET /folders, GET /secrets, GET and DELETE /secret/{id}, POST /secret. They begin when the gate has let a request in. */
export function addEndpoints(app: FastifyInstance, options: EndpointOptions): void {
  const { sotto, lists, linkBaseUrl, logAddresses } = options
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  const params = Type.Object({ id: Type.String() })
  const toWire = (secret: ShareableSecret) => toWireSecret(secret, linkBaseUrl)

  app.route({
    method: ['GET', 'HEAD'],
    url: '/folders',
    handler: (request, reply) => {
      const { accountId } = callerOf(request)
      const read = () => sotto.listFolders({ accountId })
      return lists.send(reply, { accountId, read, toWire: toWireFolder })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/secrets',
    config: { isList: true },
    handler: (request, reply) => {
      const { accountId } = callerOf(request)
      return lists.send(reply, { accountId, read: () => sotto.listSecrets({ accountId }), toWire })
    },
  })

  typed.route({
    method: ['GET', 'HEAD'],
    url: '/secret/:id',
    schema: { params },
    validatorCompiler,
    handler: async (request, reply) => {
      const secret = await sotto.getSecret({ accountId: callerOf(request).accountId, id: request.params.id })
      return secret.isErr() ? sendError(reply, secret.error) : sendData(reply, 200, toWire(secret.value))
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
      writeAudit(request.log, 'secret_destroyed', { ids, address: auditAddress(request, logAddresses) })
      return sendData(reply, 200, toWire(destroyed.value))
    },
  })

  addCreateSecret(app, options)
}
