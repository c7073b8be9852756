import { join } from 'node:path'
import type { Chance } from '../support/chance.ts'
import type { Place } from '../support/place.ts'
import { fillDisk, inject, lockDatabase, refuseWrites, type End, type Means } from './means.ts'
import type { FaultyServer } from './server.ts'

/** Where a fault happens. */
export interface Scene {
  readonly server: FaultyServer
  readonly place: Place
  readonly chance: Chance
}

export interface FaultKind {
  readonly name: string
  readonly needs: Means
  /**
   * What the server must do: become not ready, end itself, or stay ready. `undefined` where some calls fail and others do not, so that it
   * may be ready at one time and not at another.
   */
  readonly then: 'red' | 'ends' | 'green' | undefined
  /** Whether what the API counts can be counted, so that its reads must be answered. */
  readonly counts?: boolean
  /** Whether the disk cannot be read, so that answers may be 500. */
  readonly readsMayFail?: boolean
  /** Whether the clock is set, so that tickets can be over. */
  readonly setsClock?: boolean
  /** Whether each write fails as long as the fault lasts, so that it is noticed without other requests. */
  readonly isSteady?: boolean
  /** Whether everything has expired, by the clock. Nothing is created and opened then, and links need not be found. */
  readonly hasExpired?: boolean
  begin(scene: Scene): Promise<End>
}

const day = 86_400_000
const writes = '?pwrite64,?write,?ftruncate,?fallocate'
const everyFew = (chance: Chance): string => `${chance.between(1, 6)}+${chance.between(2, 7)}`
const pidOf = ({ child }: FaultyServer): number => child.process.pid ?? 0

/** The files of the main database, or of the counters. */
function filesOf({ settings }: Place, name: 'sotto' | 'quota'): readonly string[] {
  const path = join(settings.dataDir, `${name}.sqlite`)
  return [path, `${path}-wal`]
}

/** All system calls of these kinds fail, of the files in the data directory alone: what is logged is not lost. */
function failing(name: string, error: string): FaultKind {
  return {
    name,
    needs: 'strace',
    then: 'red',
    isSteady: true,
    begin: ({ server, place }) =>
      inject(pidOf(server), {
        calls: writes,
        error,
        paths: [...filesOf(place, 'sotto'), ...filesOf(place, 'quota')],
      }),
  }
}

const locking = (name: 'sotto' | 'quota'): Pick<FaultKind, 'needs' | 'then' | 'isSteady' | 'begin'> => ({
  needs: 'nothing',
  then: 'red',
  isSteady: true,
  begin: ({ place }) => lockDatabase(filesOf(place, name)[0] ?? ''),
})

const settingClock = (
  millisOf: (chance: Chance) => number,
): Pick<FaultKind, 'needs' | 'then' | 'setsClock' | 'begin'> => ({
  setsClock: true,
  needs: 'nothing',
  then: 'green',
  async begin({ server, chance }) {
    await server.setClock(millisOf(chance))
    return () => server.setClock(0)
  },
})

/** Every fault that the campaign knows. */
export const faultKinds: readonly FaultKind[] = [
  {
    name: 'disk full',
    needs: 'mount',
    then: 'red',
    begin: ({ place }) => fillDisk(place.directory),
  },
  {
    name: 'every write refused',
    needs: 'prlimit',
    then: 'red',
    isSteady: true,
    begin: ({ server }) => refuseWrites(pidOf(server)),
  },
  failing('ENOSPC', 'ENOSPC'),
  failing('EIO', 'EIO'),
  failing('read-only', 'EROFS'),
  failing('disk quota', 'EDQUOT'),
  {
    name: 'EIO, database only',
    needs: 'strace',
    then: 'red',
    isSteady: true,
    counts: true,
    begin: ({ server, place }) =>
      inject(pidOf(server), { calls: writes, error: 'EIO', paths: filesOf(place, 'sotto') }),
  },
  {
    name: 'EIO, counters only',
    needs: 'strace',
    then: 'red',
    isSteady: true,
    begin: ({ server, place }) =>
      inject(pidOf(server), { calls: writes, error: 'EIO', paths: filesOf(place, 'quota') }),
  },
  {
    name: 'EIO now and then',
    needs: 'strace',
    then: undefined,
    begin: ({ server, place, chance }) =>
      inject(pidOf(server), {
        calls: writes,
        error: chance.pick(['EIO', 'ENOSPC', 'EROFS']) ?? 'EIO',
        when: everyFew(chance),
        paths: [...filesOf(place, 'sotto'), ...filesOf(place, 'quota')],
      }),
  },
  {
    name: 'EIO on reads',
    needs: 'strace',
    then: undefined,
    readsMayFail: true,
    begin: ({ server, place, chance }) =>
      inject(pidOf(server), {
        calls: 'pread64',
        error: 'EIO',
        when: chance.happens(50) ? undefined : everyFew(chance),
        paths: [...filesOf(place, 'sotto'), ...filesOf(place, 'quota')],
      }),
  },
  {
    name: 'EIO on fsync',
    needs: 'strace',
    then: 'ends',
    begin: ({ server, place, chance }) =>
      inject(pidOf(server), {
        calls: 'fsync,fdatasync',
        error: 'EIO',
        when: `${chance.between(1, 30)}+`,
        paths: filesOf(place, 'sotto'),
      }),
  },
  {
    // strace knows no paths of files that are yet to be made. The names of new ones are not kept without this fsync.
    name: 'EIO on fsync of files',
    needs: 'strace',
    then: 'green',
    counts: true,
    begin: ({ server, place }) =>
      inject(pidOf(server), { calls: 'fsync', error: 'EIO', paths: [join(place.settings.dataDir, 'files')] }),
  },
  { name: 'database locked', counts: true, ...locking('sotto') },
  { name: 'counters locked', ...locking('quota') },
  { name: 'clock ahead', counts: true, ...settingClock((chance) => chance.between(1, 20) * day) },
  { name: 'clock back', counts: true, ...settingClock((chance) => -chance.between(1, 20) * day) },
  {
    name: 'clock years ahead',
    counts: true,
    hasExpired: true,
    ...settingClock((chance) => chance.between(31, 4_000) * day),
  },
]
