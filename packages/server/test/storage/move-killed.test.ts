import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { openIn } from '../support/installation.ts'
import { checkMoved, fillInstallation, replace } from '../support/moved.ts'
import { startPostgres } from '../support/postgres.ts'
import { source } from '../support/program.ts'
import { runSotto } from '../support/spawned.ts'

/**
 * Kills the process instead of sending a statement to PostgreSQL: that of the number `KILL_AT`, or the first that contains `KILL_ON`.
 */
const killer = `
import { createRequire } from 'node:module'
const { Client } = createRequire(process.env.PG_FROM)('pg')
const { query } = Client.prototype
const { KILL_AT, KILL_ON = 'no such text' } = process.env
let sent = 0
Client.prototype.query = function (...given) {
  const text = String(given[0]?.text ?? given[0])
  if (String(sent) === KILL_AT || text.includes(KILL_ON)) process.kill(process.pid, 'SIGKILL')
  sent += 1
  return query.apply(this, given)
}
`

const PG_FROM = new URL('../../../adapter-postgres/src/driver.ts', import.meta.url).href

/** An installation, an empty database, and a `sotto move` that is killed. */
async function withKiller(t: Test) {
  const cwd = t.testdir({ 'killer.mjs': killer })
  const filled = await fillInstallation(cwd)
  const postgres = await startPostgres()
  const nodeArgs = ['--import', pathToFileURL(join(cwd, 'killer.mjs')).href]
  const move = (to: string, env: NodeJS.ProcessEnv) =>
    runSotto(t, ['move', '--to', to], { cwd, nodeArgs, env: { ...env, PG_FROM }, file: source })
  const { run } = testCommand(t, { isEmpty: true, cwd })
  return { cwd, filled, postgres, move, run }
}

// Promise (Sealed at rest): A move copies everything except sessions and the quota: is finished by the next move if it was killed
t.test('a move that is killed anywhere is finished by the next one', async (t) => {
  const { cwd, filled, postgres, move, run } = await withKiller(t)

  /** Moves, killed at later and later statements until one move ends by itself. Returns how many were killed. */
  async function moveKilled(to: string, env: NodeJS.ProcessEnv, step: number): Promise<number> {
    for (let at = 3, kills = 0; ; at += step) {
      const { code, stderr } = await move(to, { ...env, KILL_AT: String(at) })
      if (code === 0) return kills
      if (code !== 'SIGKILL') throw new Error(stderr)
      kills += 1
    }
  }

  // With smaller steps it is killed at more places: SOTTO_TEST_MOVE_STEP=3 takes minutes.
  const step = Number(process.env['SOTTO_TEST_MOVE_STEP'] ?? 32)
  const there = await moveKilled(postgres.url, {}, step)
  t.ok(there >= 3, `${there} were killed`)
  await checkMoved(t, cwd, { filled, env: postgres.env, opensLeft: 3 })
  const back = await moveKilled('file:back', postgres.env, step)
  t.ok(back >= 2, `${back} were killed`)
  await checkMoved(t, cwd, { filled, env: { SOTTO_DATA_DIR: 'back' }, opensLeft: 2 })

  renameSync(join(cwd, 'back'), join(cwd, 'gone'))
  t.match(
    await run(['move', '--to', 'file:back'], { env: postgres.env }),
    { code: 1, stderr: /was moved to .*back: see SOTTO_DATA_DIR/ },
    'a copy that was used and is gone is not made again',
  )
})

// Promise (Sealed at rest): A move copies everything except sessions and the quota: never leaves two places that can be used
t.test('between the last two steps of a move no place can be used', async (t) => {
  const { cwd, filled, postgres, move, run } = await withKiller(t)
  t.match(await move(postgres.url, { KILL_ON: 'UPDATE sotto SET incomplete = false' }), { code: 'SIGKILL' })
  t.match(await run(['account', 'list']), { code: 1, stderr: /was moved to postgres/ })
  t.match(await run(['account', 'list'], { env: postgres.env }), { code: 1, stderr: /is not finished/ })
  t.match(await run(['move', '--to', 'file:other']), { code: 1, stderr: /was moved to postgres/ })
  t.match(await run(['move', '--to', postgres.url]), { code: 0, stdout: /compared row by row/ })
  await checkMoved(t, cwd, { filled, env: postgres.env, opensLeft: 3 })
})

t.test('after a kill the source can be used, and what was added to it since is moved, too', async (t) => {
  const { postgres, move, run } = await withKiller(t)
  t.match(await move(postgres.url, { KILL_ON: 'INSERT INTO opened_forms' }), { code: 'SIGKILL' })
  t.match(await run(['account', 'list'], { env: postgres.env }), {
    code: 1,
    stderr: /is the copy of an installation that is not finished: run sotto move again/,
  })
  t.match(await run(['folder', 'create', '--account', 'ann@example.org', '--label', 'late']), { code: 0 })
  t.match(await run(['move', '--to', postgres.url]), { code: 0, stdout: /2 folders/ })
})

t.test('a copy that differs because the source was used after a kill is not finished', async (t) => {
  const { cwd, filled, postgres, move, run } = await withKiller(t)
  t.match(await move(postgres.url, { KILL_ON: 'INSERT INTO opened_forms' }), { code: 'SIGKILL' })
  const { sotto, close } = await openIn(cwd, { replace })
  expectOk(await sotto.openSecret({ token: filled.limited.link.token }))
  await close()
  t.match(await run(['move', '--to', postgres.url]), {
    code: 1,
    stderr: /the copy differs from the database \(secrets\), which was changed after a move was interrupted/,
  })
  t.match(await run(['account', 'list']), { code: 0 }, 'the source can be used')
})
