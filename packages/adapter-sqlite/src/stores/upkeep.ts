import type { Erasure, Upkeep } from '@sotto/core'
import { ok } from 'neverthrow'
import { examineDatabase } from '../examine/database.ts'
import type { Connections } from '../file/connections.ts'
import type { Timers } from '../file/timers.ts'

const latestTime = `SELECT max(at) FROM (
  SELECT swept_at AS at FROM meta
  UNION ALL SELECT max(created_at) FROM secrets
  UNION ALL SELECT max(link_created_at) FROM secrets
  UNION ALL SELECT max(created_at) FROM folders
  UNION ALL SELECT max(created_at) FROM accounts
  UNION ALL SELECT max(created_at) FROM access_tokens
  UNION ALL SELECT max(last_used_at) FROM access_tokens)`

export function createUpkeep(connections: Connections, erasure: Erasure, timers: Timers): Upkeep {
  const { reader, writer, read, write } = connections
  const touch = writer.prepare('UPDATE meta SET swept_at = swept_at')
  const lastSweep = reader.prepare<[], number | null>('SELECT swept_at FROM meta').pluck()
  const recordSweep = writer.prepare<[number]>('UPDATE meta SET swept_at = ?')
  const lastWrite = reader.prepare<[], number | null>(latestTime).pluck()
  const canWrite: Upkeep['canWrite'] = () =>
    write(() => {
      touch.run()
      return ok()
    })

  return {
    canWrite,

    lastSweep: () => read(() => lastSweep.get() ?? undefined),

    recordSweep: (atMicros) =>
      write(() => {
        recordSweep.run(atMicros)
        return ok()
      }),

    lastWrite: () => read(() => lastWrite.get() ?? undefined),

    examine: () => examineDatabase({ connections, canWrite, erasure, timers }),
  }
}
