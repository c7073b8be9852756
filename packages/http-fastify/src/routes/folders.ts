import { listFolders, type Ports } from '@sotto/core'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../gate.ts'
import { sendList } from '../list-answer.ts'
import { toWireFolder } from '../wire.ts'

export interface FolderRoutesOptions {
  readonly ports: Pick<Ports, 'folders' | 'textCipher' | 'clock'>
}

/** GET /folders */
export function folderRoutes(app: FastifyInstance, { ports }: FolderRoutesOptions): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/folders',
    handler: (request, reply) => {
      const { accountId } = callerOf(request)
      return sendList(reply, listFolders(ports, { accountId }), toWireFolder)
    },
  })
}
