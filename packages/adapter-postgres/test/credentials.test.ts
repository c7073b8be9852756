import { expectErr } from '@sotto/test-kit'
import { after, test } from 'tap'
import { postgresDriver } from '../src/identity.ts'
import { sharedServer } from './support/server.ts'

const server = await sharedServer()
after(() => server.stop())

/** User and password. Nobody has that name on the server. */
const canary = 'canary-7f3a'

/** Everything that a driver says about a URL: its answers, and what it logs. */
async function saidAbout(url: string): Promise<readonly unknown[]> {
  const driver = postgresDriver({ url })
  const logged: unknown[] = []
  const log = (...entry: readonly unknown[]): void => void logged.push(entry)
  const results = [
    await driver.open({ onFatal: (error) => logged.push(error), log }),
    await driver.prepare(),
    await driver.hasData(),
  ]
  return [
    ...results.map((result) => expectErr<unknown, unknown>(result)),
    await driver.examine(),
    driver.location,
    logged,
  ]
}

test('user and password are in no error, finding, location or log', async (t) => {
  const database = new URL(await server.newDatabase())
  const urls = {
    'an unknown user': `postgres://${canary}:${canary}@${database.host}${database.pathname}`,
    'nobody listening': `postgres://${canary}:${canary}@127.0.0.1:1/sotto`,
    'an unknown host': `postgres://${canary}:${canary}@nowhere.invalid/sotto?sslmode=disable`,
    'a server without TLS': `postgres://${canary}:${canary}@${database.host}/sotto?sslmode=verify-full`,
    'a URL that is none': `postgres://${canary}:${canary}@:/`,
    'a URL with an unknown option': `postgres://${canary}:${canary}@127.0.0.1/sotto?password=${canary}`,
    'a URL that cannot be decoded': `postgres://${canary}:%${canary}@127.0.0.1/sotto`,
  }
  for (const [what, url] of Object.entries(urls)) {
    const said = JSON.stringify(await saidAbout(url))
    t.notMatch(said, canary, what)
    t.match(said, /database_unreachable/, what)
  }
})

test('an unknown database is named by its address alone', async (t) => {
  const url = new URL(server.urlOf('nowhere'))
  const error = expectErr(await postgresDriver({ url: url.href }).hasData())
  t.same(error, {
    code: 'database_unreachable',
    location: `postgres://${url.host}/nowhere`,
    detail: 'there is no such database',
  })
})
