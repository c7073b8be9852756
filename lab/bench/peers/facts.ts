import type { ServiceName } from './service.ts'

/** What a service does for a request, in words. bench/peers/README.md says where each cell was read. */
export interface Facts {
  readonly title: string
  /** Whether a request's change is on the disk before it is answered. */
  readonly fsync: Readonly<Record<'create' | 'open', string>>
  /** Whether the caller's access token is checked. */
  readonly token: Readonly<Record<'create' | 'open', string>>
  readonly encryption: string
  readonly quota: string
  readonly counting: string
  readonly limit: string
  readonly storage: string
  readonly processes: string
}

export const facts: Readonly<Record<ServiceName, Facts>> = {
  sotto: {
    title: 'Sotto',
    fsync: { create: 'yes', open: 'yes' },
    token: { create: 'yes', open: 'no' },
    encryption: 'on the server',
    quota: 'counted; raised here',
    counting: 'each open, in a transaction',
    limit: 'any number, kept by that transaction',
    storage: 'SQLite',
    processes: '1 of Node.js',
  },
  enclosed: {
    title: 'Enclosed',
    fsync: { create: 'no', open: 'writes nothing' },
    token: { create: 'no', open: 'no' },
    encryption: 'in the browser, not measured',
    quota: 'none',
    counting: 'none',
    limit: 'one or none: reads, then deletes',
    storage: 'a file for each note',
    processes: '1 of Node.js',
  },
  privatebin: {
    title: 'PrivateBin',
    fsync: { create: 'no', open: 'writes nothing' },
    token: { create: 'no', open: 'no' },
    encryption: 'in the browser, not measured',
    quota: 'one create in 10 s for each address; off here',
    counting: 'none',
    limit: 'one or none: reads, then deletes',
    storage: 'a file for each note',
    processes: '1 of nginx, 8 of PHP',
  },
}
