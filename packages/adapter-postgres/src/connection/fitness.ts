import type { Sql } from './sql.ts'

/** The oldest server that is supported: version 15. */
const oldestServer = 150_000

/** Why a server does not keep what it acknowledges, or not as this adapter needs it; `undefined` when it does. */
export async function unfitness(sql: Sql): Promise<string | undefined> {
  const row = await sql.row<[string, ...(string | null)[]]>({
    name: 'fitness',
    text: `SELECT current_setting('server_version_num'), current_setting('synchronous_commit', true),
      current_setting('fsync', true), current_setting('full_page_writes', true),
      current_setting('server_encoding'), current_setting('transaction_read_only')`,
  })
  const [version = '0', synchronousCommit, fsync, fullPageWrites, encoding, readOnly] = row ?? []
  if (Number(version) < oldestServer)
    return `the server is of version ${version}; 15 is the oldest that is supported`
  // Engines that speak the protocol may lack a setting; one that is there must say the right thing.
  if (synchronousCommit === 'off') return 'synchronous_commit is off: what is acknowledged could be lost'
  if (fsync === 'off') return 'fsync is off: what is acknowledged could be lost'
  if (fullPageWrites === 'off') return 'full_page_writes is off: a crash could corrupt the database'
  if (encoding !== 'UTF8') return 'the encoding of the database is not UTF8'
  return readOnly === 'on' ? 'the server is a standby or otherwise read-only' : undefined
}
