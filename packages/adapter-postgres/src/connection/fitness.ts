import { Unfit } from './errors.ts'
import type { Sql } from './sql.ts'

/** The oldest server that is supported: version 15. */
const oldestServer = 150_000

/** The settings that are examined. An engine that speaks the protocol may lack one; a setting that is there must have the right value. */
const fitness = `current_setting('server_version_num'), current_setting('fsync', true),
  current_setting('full_page_writes', true), current_setting('server_encoding'),
  current_setting('transaction_read_only'), current_setting('in_hot_standby', true)`

type FitnessRow = readonly (string | null)[]

/** Why a server does not keep what it acknowledges, or not as this adapter needs it; `undefined` when it does. */
export async function unfitness(sql: Sql): Promise<string | undefined> {
  return faultOf(await sql.row<FitnessRow>({ name: 'fitness', text: `SELECT ${fitness}` }))
}

/** `synchronous_commit`, at least: with `on` a commit waits for the disk; with `off` a crash of the server may lose the latest ones. */
export type Commits = 'on' | 'off'

/**
 * One row, for the FROM of a statement that shall not wait for the disk. The next commit that waits puts the statement's changes on the disk, too,
 * unless the server has crashed in between: then they may be lost.
 */
export const quickCommit = `(SELECT CASE WHEN current_setting('synchronous_commit', true) IS NOT NULL
  THEN set_config('synchronous_commit', 'off', true) END) AS quick_commit`

/** What a new connection is. */
export interface Examined {
  /** Whether a pooler is in between, which shares its connections between clients. */
  readonly isPooled: boolean
  /** The `synchronous_commit` for each transaction; `undefined` where the server has no such setting. */
  readonly commits: string | undefined
}

/**
 * `$1`: the process id that the connection was told when it was opened; `$2`: see {@link Commits}. The settings of the session win over the
 * server's configuration and over each later change of it. A connection of a pooler keeps its own: other clients would get it with ours.
 */
const examination = `SELECT pid = $1::int AS is_own, commits,
    CASE WHEN pid = $1::int THEN set_config('default_transaction_isolation', 'read committed', false) END,
    CASE WHEN pid = $1::int AND commits IS NOT NULL THEN set_config('synchronous_commit', commits, false) END, ${fitness}
  FROM (SELECT pg_backend_pid() AS pid, CASE
    WHEN $2::text = 'on' AND current_setting('synchronous_commit', true) = 'remote_apply' THEN 'remote_apply'
    WHEN current_setting('synchronous_commit', true) IS NOT NULL THEN $2::text END AS commits) AS found`

/**
 * Examines a new connection and gives it its settings, in one statement: READ COMMITTED and `synchronous_commit`, which is never lowered
 * from `remote_apply` to `on`. A pooler is noticed by the process id: it has told one that is not the server's. Throws {@link Unfit}.
 * @param sql prepares nothing, which some poolers cannot do
 * @param processId what the connection was told
 */
export async function examineConnection(
  sql: Sql,
  { processId, commits }: { readonly processId: number | null; readonly commits: Commits },
): Promise<Examined> {
  const row = await sql.row<[boolean | null, string | null, ...FitnessRow]>(
    { name: 'examination', text: examination },
    [processId, commits],
  )
  const [isOwn, level, , , ...settings] = row ?? []
  const fault = faultOf(settings)
  if (fault !== undefined) throw new Unfit(fault, readOnlyFaults.includes(fault))
  return { isPooled: isOwn !== true, commits: level ?? undefined }
}

const readOnlyFaults: readonly string[] = ['the server is a standby', 'the server is read-only']

function faultOf(row: FitnessRow = []): string | undefined {
  const [version, fsync, fullPageWrites, encoding, readOnly, inRecovery] = row
  if (Number(version ?? 0) < oldestServer)
    return `the server is of version ${version ?? 0}; 15 is the oldest that is supported`
  if (inRecovery === 'on') return readOnlyFaults[0]
  if (readOnly === 'on') return readOnlyFaults[1]
  if (fsync === 'off') return 'fsync is off: what is acknowledged could be lost'
  if (fullPageWrites === 'off') return 'full_page_writes is off: a crash could corrupt the database'
  return encoding === 'UTF8' ? undefined : 'the encoding of the database is not UTF8'
}
