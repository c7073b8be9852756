import { startServer, type TestServer } from '../../../packages/adapter-postgres/test/support/server.ts'

/** A PostgreSQL server for a campaign, from npm. */
export interface CampaignDatabase extends Pick<TestServer, 'crash' | 'restart' | 'stop'> {
  /** The settings of an installation on an empty database. */
  newSettings(): Promise<Readonly<Record<string, string>>>
}

export async function startPostgres(): Promise<CampaignDatabase> {
  const { newDatabase, crash, restart, stop } = await startServer()
  return {
    crash,
    restart,
    stop,
    newSettings: async () => ({ [urlSetting]: await newDatabase() }),
  }
}

const urlSetting = 'SOTTO_DATABASE_URL'

/** The settings of the database that the process that started this one chose, for `placeIn`; none for SQLite. */
export function givenDatabase(): Readonly<Record<string, string>> {
  const url = process.env[urlSetting]
  return url === undefined ? {} : { [urlSetting]: url }
}
