import { after, test } from 'tap'
import { query } from '../../../packages/adapter-postgres/test/support/server.ts'
import { runCrashCampaign } from '../../campaigns/crash/campaign.ts'
import { runOpens } from '../../campaigns/crash/opens.ts'
import { startPostgres } from '../../campaigns/support/postgres.ts'

const database = await startPostgres()
after(() => database.stop())

test('links on PostgreSQL that four processes open at the same time are delivered as often as their limits allow', async (t) => {
  const { figures, violations } = await runOpens({
    seed: 1,
    links: 8,
    linksWithPassword: 1,
    opensPerLink: 160,
    processes: 4,
    database,
  })
  t.strictSame(violations, [])
  t.equal(figures.delivered + figures.lost, 2 * (1 + 2 + 5 + 100) + 1)
  t.ok(figures.sharedByProcesses > 0, 'several processes delivered the same link')
})

test('a store on PostgreSQL that reads, then writes is noticed', async (t) => {
  const { violations } = await runOpens({
    seed: 1,
    links: 4,
    linksWithPassword: 0,
    opensPerLink: 120,
    readThenWrite: true,
    database,
  })
  t.ok(violations.length > 0, 'links were delivered too often')
})

test('in kills of servers and crashes of PostgreSQL nothing acknowledged is lost', async (t) => {
  const { figures, violations } = await runCrashCampaign({ cycles: 6, seed: 7, servers: 2, database })
  t.strictSame(violations, [])
  t.ok(
    figures.kills > 0 &&
      figures.databaseCrashes > 0 &&
      figures.notesCompared > 0 &&
      figures.filesCompared > 0,
    'there was a load',
  )
})

test('a PostgreSQL that loses its latest commits in a crash is noticed', async (t) => {
  let url = ''
  const forgetful = {
    ...database,
    async newSettings() {
      const settings = await database.newSettings()
      url = settings['SOTTO_DATABASE_URL'] ?? ''
      return settings
    },
    async restart() {
      await database.restart()
      const latest = 'SELECT id FROM secrets ORDER BY created_at DESC LIMIT 10'
      await query(url, `DELETE FROM secrets WHERE id IN (${latest})`)
    },
  }
  const { violations } = await runCrashCampaign({ cycles: 5, seed: 5, database: forgetful })
  t.ok(violations.length > 0, 'acknowledged writes are missing')
})
