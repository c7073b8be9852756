import t from 'tap'
import { runCrashCampaign } from '../../campaigns/crash/campaign.ts'
import { canReplicate, startReplicatedPostgres } from '../../campaigns/support/replicated-postgres.ts'

const skip = canReplicate ? false : 'pg_basebackup of PostgreSQL 15 is not installed'

// Promise (On PostgreSQL): After a failover to a synchronous standby nothing that was acknowledged is lost, and no link opens too often
t.test('the standby that takes over has everything that was acknowledged', { skip }, async (t) => {
  const database = await startReplicatedPostgres({ isSynchronous: true })
  t.teardown(() => database.stop())
  const { figures, violations } = await runCrashCampaign({ cycles: 7, seed: 7, servers: 2, database })
  t.strictSame(violations, [])
  t.ok(figures.databaseCrashes > 1, `${figures.databaseCrashes} failovers`)
  t.ok(figures.created > 0 && figures.delivered > 0, 'there was a load')
})

t.test('a standby that is a moment behind has lost acknowledged writes', { skip }, async (t) => {
  const database = await startReplicatedPostgres({ isSynchronous: false })
  t.teardown(() => database.stop())
  const { violations } = await runCrashCampaign({ cycles: 7, seed: 5, database })
  t.ok(violations.length > 0, 'acknowledged writes are missing')
})
