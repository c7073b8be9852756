import { createRequests, note, openRequests } from '../load/requests.ts'
import type { Server } from '../processes/servers.ts'
import type { Store } from '../stores/store.ts'
import type { Service } from './service.ts'

/** @param store of the server, which has links that can be opened without limit */
export function sottoService({ port, pid }: Pick<Server, 'port' | 'pid'>, store: Store): Service {
  return {
    name: 'sotto',
    port,
    pid,
    create: { requests: createRequests(store.creators), expect: 201, contains: '"success":true' },
    open: {
      requests: openRequests(store.links, false),
      expect: 200,
      contains: JSON.stringify(note).slice(1, -1),
    },
  }
}
