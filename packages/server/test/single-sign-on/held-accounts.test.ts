import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { query } from '../../../adapter-postgres/test/support/server.ts'
import type { Facts } from '../fixtures/facts.ts'
import { copyFixture, readDump } from '../support/fixtures.ts'
import { openIn } from '../support/installation.ts'
import { startPostgres } from '../support/postgres.ts'
import { withRaw } from '../support/raw-sqlite.ts'

// The version before accounts were held. What made one so was the origin of its identity.
const version = 'v8'
const made = "UPDATE identities SET origin = 'allowed'"

/** The emails of the accounts that are held once the installation was opened, and of which account the identity is. */
async function heldIn(cwd: string, env: NodeJS.ProcessEnv = {}): Promise<readonly unknown[]> {
  const facts = JSON.parse(readFileSync(join(cwd, 'facts.json'), 'utf8')) as Facts
  const clock = createManualClock(facts.madeAtMicros)
  const { storage, close } = await openIn(cwd, { env, replace: { clock } })
  const accounts = expectOk(await storage.accounts.page(undefined, 100))
  await close()
  const held = accounts.filter(({ isHeld }) => isHeld).map(({ id }) => id)
  return [held, accounts.length > 1, facts.owner.accountId]
}

// Promise (Upgrading): Accounts that were made for an identity before are held afterwards, and no others
t.test('an account with an identity that was allowed is held after the migration', async (t) => {
  for (const isMade of [true, false]) {
    const cwd = t.testdir()
    copyFixture(version, 'sqlite', cwd)
    if (isMade) withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) => db.exec(made))
    const [held, hasOthers, owner] = await heldIn(cwd)
    t.strictSame([held, hasOthers], [isMade ? [owner] : [], true])
  }
})

t.test('on PostgreSQL, too', async (t) => {
  const { url, env } = await startPostgres()
  await query(url, readDump(version, 'postgres/dump.sql'))
  await query(url, made)
  const cwd = t.testdir()
  copyFixture(version, 'postgres', cwd)
  const [held, hasOthers, owner] = await heldIn(cwd, env)
  t.strictSame([held, hasOthers], [[owner], true])
})
