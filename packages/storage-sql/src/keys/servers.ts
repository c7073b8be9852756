import type { ServerStore, ShownServer } from '@sotto/core'
import { ok } from 'neverthrow'
import { changes, type Dialect, type Engine } from '../engine/engine.ts'

type Row = [id: unknown, name: string, kid: number, seenAt: number]

/** The servers, and the newest key that each holds. */
export function createServers({ dialect, list, write, change }: Engine): ServerStore {
  const { id } = dialect
  return {
    list: () =>
      list(`SELECT ${id.read('id')}, name, kid, seen_at FROM servers ORDER BY id`, [], (found: Row) =>
        serverOf(dialect, found),
      ),

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

function serverOf({ id }: Dialect, [serverId, name, kid, seenAtMicros]: Row): ShownServer {
  return { id: id.out(serverId), name, kid, seenAtMicros }
}
