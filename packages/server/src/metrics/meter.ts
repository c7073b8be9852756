import type { Gauged, Measured, Meter } from '@sotto/core'
import type { Instruments } from './instruments.ts'

/** A meter that puts what adapters report into the instruments; `readGauges` asks them for what can be read at any time. */
export function createMeter(instruments: Instruments): { readonly meter: Meter; readGauges(): void } {
  const observers: Record<Measured, (part: string, value: number) => void> = {
    commit_wait_seconds: (part, value) => instruments.commitWait.observe({ part }, value),
    commit_batch_writes: (part, value) => instruments.batchWrites.observe({ part }, value),
    commit_conflicts: (part, value) => instruments.conflicts.inc({ part }, value),
    checkpoint_seconds: (part, value) => instruments.checkpoint.observe({ part }, value),
    hash_wait_seconds: (queue, value) => instruments.hashWait.observe({ queue }, value),
  }
  const gauges: Record<Gauged, Pick<Instruments['walBytes'], 'set'>> = {
    commit_queue_length: instruments.commitQueue,
    wal_bytes: instruments.walBytes,
    connections_open: instruments.connectionsOpen,
    connections_used: instruments.connectionsUsed,
    connections_waiting: instruments.connectionsWaiting,
    hash_queue_length: instruments.hashQueue,
    hashes_running: instruments.hashesRunning,
  }
  const readings = new Map<string, () => void>()
  return {
    meter: {
      observe: (what, part, value) => observers[what](part, value),
      gauge: (what, part, read) =>
        void readings.set(`${what} ${part}`, () => gauges[what].set({ part }, read())),
    },
    readGauges() {
      for (const read of readings.values()) read()
    },
  }
}
