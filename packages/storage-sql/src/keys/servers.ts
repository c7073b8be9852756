import type { ServerStore, ShownServer } from '@sotto/core'
import { ok } from 'neverthrow'
import { changes, type Engine } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { keyTables } from './tables.ts'

const serverRows = rowsOf(keyTables.servers).reading<ShownServer>({
  id: 'id',
  name: 'name',
  kid: 'kid',
  seenAtMicros: 'seen_at',
})

/** The servers, and the newest key that each holds. */
export function createServers({ dialect, list, write, change }: Engine): ServerStore {
  const { id } = dialect
  const servers = serverRows(dialect)
  return {
    list: () => list(`SELECT ${servers.columns} FROM servers ORDER BY id`, [], servers.read),

    show: (server, forgottenByMicros) =>
      write(function* () {
        yield* changes('DELETE FROM servers WHERE seen_at <= $1', forgottenByMicros)
        yield* changes(
          `INSERT INTO servers (id, name, kid, seen_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, kid = excluded.kid, seen_at = excluded.seen_at`,
          ...[id.in(server.id), server.name, server.kid, server.seenAtMicros],
        )
        return ok()
      }),

    remove: (serverId) => change('DELETE FROM servers WHERE id = $1', id.in(serverId)).map(() => undefined),
  }
}
