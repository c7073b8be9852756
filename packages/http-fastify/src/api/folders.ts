import type { Sotto } from '@sotto/core'
import { toWireFolder } from '@sotto/wire'
import type { FastifyInstance } from 'fastify'
import { callerOf } from './gate.ts'
import { sendList } from './list-answer.ts'
import type { ListScheduler } from './list-scheduler.ts'

export interface FolderRoutesOptions {
  readonly sotto: Pick<Sotto, 'listFolders'>
  readonly lists: ListScheduler
}

/** GET /folders */
export function folderRoutes(app: FastifyInstance, { sotto, lists }: FolderRoutesOptions): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/folders',
    handler: (request, reply) => {
      const { accountId } = callerOf(request)
      return sendList(reply, {
        read: () => sotto.listFolders({ accountId }),
        toWire: toWireFolder,
        scheduler: lists,
      })
    },
  })
}
