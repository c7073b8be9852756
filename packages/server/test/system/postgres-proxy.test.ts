import t, { type Test } from 'tap'
import { needsNginx, nginxForThree, startNginx } from '../support/nginx.ts'
import { startPostgres } from '../support/postgres.ts'
import { callApi, callerOf, createSecret, openLink, type Caller } from '../support/requests.ts'
import { spawnServer } from '../support/spawned.ts'

/** Three servers on one database with one key file, behind nginx as docs/scaling.md configures it. */
async function startThree(t: Test): Promise<{ readonly caller: Caller; readonly direct: readonly string[] }> {
  const { env } = await startPostgres()
  const settings = { cwd: t.testdir(), env: { ...env, SOTTO_TRUST_PROXY: '127.0.0.1' } }
  const first = await spawnServer(t, settings)
  const others = await Promise.all([spawnServer(t, settings), spawnServer(t, settings)])
  t.same(
    others.map(({ firstStart }) => firstStart),
    [null, null],
  )
  const direct = [first, ...others].map(
    ({ stdout }) => (JSON.parse(stdout()) as { listening: string }).listening,
  )
  const { port } = await startNginx(t, nginxForThree, (text) =>
    direct.reduce((so, address, at) => so.replace(`127.0.0.1:300${at + 1}`, new URL(address).host), text),
  )
  return { caller: { ...callerOf(first), baseUrl: `http://127.0.0.1:${port}` }, direct }
}

// Promise (On PostgreSQL): Three servers on PostgreSQL share one quota
t.test('behind nginx, three servers let 60 of 75 calls of a minute pass', needsNginx, async (t) => {
  const { caller, direct } = await startThree(t)
  const answers = await Promise.all(Array.from({ length: 75 }, () => callApi(caller, '/api/folders')))
  const passed = answers.filter(({ status }) => status === 200)
  t.equal(passed.length, 60)
  const header = (name: string) => (answer: Response) => Number(answer.headers.get(name))
  t.ok(answers.every((answer) => header('x-ratelimit-limit')(answer) === 60))
  const remaining = passed.map(header('x-ratelimit-remaining')).sort((a, b) => a - b)
  t.same(
    remaining,
    Array.from({ length: 60 }, (_, at) => at),
    'each number is answered once',
  )
  const refused = answers.filter(({ status }) => status === 429)
  t.equal(refused.length, 15)
  t.ok(refused.every((answer) => header('retry-after')(answer) > 0))
  t.same(new Set(refused.map(header('x-ratelimit-remaining'))), new Set([0]))
  t.equal(new Set(refused.map(header('x-ratelimit-reset'))).size, 1)
  for (const baseUrl of direct)
    t.equal((await callApi({ ...caller, baseUrl }, '/api/folders')).status, 429, 'each server refuses')
})

// Promise (On PostgreSQL): Three servers on PostgreSQL share one quota: and one open limit
t.test('behind nginx, three servers deliver a link with five opens five times', needsNginx, async (t) => {
  const { caller, direct } = await startThree(t)
  const { path } = await createSecret(caller, { open_limit: 5, note: 'five times' })
  const opened = await Promise.all(Array.from({ length: 50 }, () => openLink(caller.baseUrl, path)))
  t.same(
    opened.filter(({ status }) => status === 200).map(({ note }) => note),
    Array<string>(5).fill('five times'),
  )
  t.equal(opened.filter(({ status }) => status === 404).length, 45)
  for (const baseUrl of direct) t.equal((await openLink(baseUrl, path)).status, 404)
})
