import type { StorageError } from '@sotto/core'
import type { FullOpenStorage, FullPorts } from '@sotto/identity'
import type { ResultAsync } from 'neverthrow'
import { clockOffsetMicros } from '../shared/clock-offset.ts'
import { createReadiness, type Readiness } from '../shared/readiness.ts'
import type { Instruments } from './instruments.ts'

/** How often rows are counted, at most: that reads indexes to their end. */
const rowsEveryMicros = 300_000_000

/** How often everything else is asked of the storage, at most. */
const stateEveryMicros = 5_000_000

/** What the readings are of. */
export interface Readable {
  readonly storage: Pick<FullOpenStorage, 'upkeep' | 'erasure' | 'deliveries' | 'databaseClock'>
  readonly ports: Pick<FullPorts, 'clock'>
}

type Read = (installation: Readable) => Promise<void>

/** Reads from the storage what no event tells, however often somebody asks. What cannot be read keeps its value. */
export function createReadings(instruments: Instruments): Read {
  const rows = atMostEvery(rowsEveryMicros, (installation) => readRows(instruments, installation))
  const state = atMostEvery(stateEveryMicros, (installation) => readState(instruments, installation))
  let ready: Readiness | undefined
  const writable = atMostEvery(stateEveryMicros, async ({ storage: { upkeep }, ports: { clock } }) => {
    ready ??= createReadiness({ upkeep, clock })
    instruments.writable.set((await ready()).isOk() ? 1 : 0)
  })
  return async (installation) => {
    await Promise.all([rows(installation), state(installation), writable(installation)])
  }
}

/** A clock that was set back makes it read again. */
function atMostEvery(micros: number, read: Read): Read {
  let readAtMicros = -Infinity
  return async (installation) => {
    const nowMicros = installation.ports.clock.nowMicros()
    if (Math.abs(nowMicros - readAtMicros) < micros) return
    readAtMicros = nowMicros
    await read(installation)
  }
}

async function readRows(
  { rows, fileBytes, unreadable }: Instruments,
  { storage }: Parameters<Read>[0],
): Promise<void> {
  const counts = await orCount(unreadable, storage.upkeep.countRows())
  if (counts === undefined) return
  for (const table of ['accounts', 'folders', 'drafts', 'secrets', 'requests', 'files'] as const)
    rows.set({ table }, counts[table])
  fileBytes.set(counts.fileBytes)
}

async function readState(instruments: Instruments, { storage, ports }: Parameters<Read>[0]): Promise<void> {
  const { clockOffset, lastSweep, outbox, outboxOldest, erasurePending, unreadable } = instruments
  clockOffset.set(clockOffsetMicros(storage) / 1e6)
  erasurePending.set((storage.erasure.pendingForMillis() ?? 0) / 1_000)
  const [sweptAtMicros, queue] = await Promise.all([
    orCount(unreadable, storage.upkeep.lastSweep()),
    orCount(unreadable, storage.deliveries.state()),
  ])
  if (sweptAtMicros !== undefined) lastSweep.set(sweptAtMicros / 1e6)
  if (queue === undefined) return
  for (const state of ['events', 'waiting', 'dead'] as const) outbox.set({ state }, queue[state])
  const { oldestMicros } = queue
  const waitsMicros = oldestMicros === undefined ? 0 : ports.clock.nowMicros() - oldestMicros
  outboxOldest.set(Math.max(0, waitsMicros) / 1e6)
}

async function orCount<T>(
  unreadable: Instruments['unreadable'],
  answer: ResultAsync<T, StorageError>,
): Promise<T | undefined> {
  const read = await answer
  if (read.isOk()) return read.value
  unreadable.inc()
  return undefined
}
