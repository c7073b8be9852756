import type { Sql } from '../connection/sql.ts'

/** What a server says about the standbys that follow it. */
export interface Standbys {
  /** `synchronous_standby_names`. */
  readonly names: string
  /** `synchronous_commit` of the server or the connection. */
  readonly synchronousCommit: string
  /** How many receive its write-ahead log now, backups under way among them. */
  readonly receivers: number
}

export async function standbysOf(sql: Sql): Promise<Standbys> {
  const row = await sql.row<[string | null, string | null, number]>({
    name: 'examine_standbys',
    text: `SELECT current_setting('synchronous_standby_names', true), current_setting('synchronous_commit', true),
      (SELECT count(*) FROM pg_stat_replication)`,
  })
  return { names: row?.[0] ?? '', synchronousCommit: row?.[1] ?? 'on', receivers: row?.[2] ?? 0 }
}

/** What becomes of an acknowledged write when a standby takes over, in a sentence for operators. */
export function standbysText({ names, synchronousCommit, receivers }: Standbys): string {
  const count = `${receivers} ${receivers === 1 ? 'standby receives' : 'standbys receive'} its log`
  if (names.trim() === '') {
    return receivers === 0
      ? 'no standby receives its log: what is acknowledged is on the disk of this server alone'
      : `${count}, and no commit waits for one: a failover loses the latest acknowledged secrets, and the latest opens are not counted`
  }
  // PostgreSQL's documentation, 20.5.1. What is lower is raised to `on`: see `connection/fitness.ts`.
  const waits =
    synchronousCommit === 'remote_apply' ? 'a standby shows them' : 'a standby has them on its disk'
  return `commits wait until ${waits} (synchronous_standby_names); ${count}`
}
