import t from 'tap'
import { connectToWorkers, type Connection } from '../support/connections.ts'
import { startPostgres } from '../support/postgres.ts'
import { callApi, callerOf, createSecret } from '../support/requests.ts'
import { runSotto, spawnServer } from '../support/spawned.ts'

// Promise (Installing and operating): Two workers serve one port, within one quota and one open limit: the same on PostgreSQL
t.test('on PostgreSQL two workers serve one port as one process does', async (t) => {
  const postgres = await startPostgres()
  const cwd = t.testdir()
  const env = { ...postgres.env, SOTTO_WORKERS: '2', SOTTO_LIMIT_PER_MINUTE: '20' }
  const server = await spawnServer(t, { cwd, env })
  const byPid = await connectToWorkers(t, server, { workers: 2, each: 3 })
  const [one, other] = [...byPid.values()] as [Connection[], Connection[]]
  const all = [...one, ...other]
  const owner = callerOf(server)
  const json = async <T>(...args: string[]): Promise<T> => {
    const { stdout, stderr } = await runSotto(t, [...args, '--json'], { cwd, env })
    t.equal(stderr, '')
    return JSON.parse(stdout) as T
  }

  await t.test('of 21 simultaneous calls over all connections exactly 20 are allowed', async (t) => {
    const email = 'ann@example.org'
    await json('account', 'create', '--email', email)
    const { token } = await json<{ token: string }>('token', 'create', '--account', email, '--name', 'laptop')
    const calls = Array.from({ length: 21 }, (_, at) => all[at % all.length]!)
    const answers = await Promise.all(calls.map((each) => each.ask('GET', '/api/folders', { token })))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    t.strictSame(statuses, [...Array<number>(20).fill(200), 429])
  })

  await t.test('a link with one open that both open at the same time is opened once', async (t) => {
    const { path } = await createSecret(owner, { open_limit: 1 })
    const opens = await Promise.all(all.map((each) => each.ask('POST', path, { body: {} })))
    const statuses = opens.map(({ status }) => status).toSorted((a, b) => a - b)
    t.strictSame(statuses, [200, ...Array<number>(all.length - 1).fill(404)])
  })

  await t.test('a token that the command revokes is refused by each of them', async (t) => {
    const account = ['--account', server.firstStart?.account ?? '']
    const calls = () =>
      Promise.all([one, other].map(([first]) => first!.ask('GET', '/api/folders', { token: owner.token })))
    t.match(await calls(), [{ status: 200 }, { status: 200 }])
    const [{ id }] = await json<[{ id: string }]>('token', 'list', ...account)
    await json('token', 'revoke', ...account, id)
    t.match(await calls(), [{ status: 401 }, { status: 401 }])
  })

  await t.test('a worker that is killed is replaced', async (t) => {
    const [killed = 0, survivor = 0] = byPid.keys()
    process.kill(killed, 'SIGKILL')
    await server.logged(new RegExp(`"worker":${killed},"exitCode":null,"signal":"SIGKILL",.*replaced`))
    await server.logged(/(?:listening at[^]*){3}/)
    const replaced = await connectToWorkers(t, server, { workers: 2, each: 1 })
    t.ok(replaced.has(survivor))
    t.notOk(replaced.has(killed))
  })

  await t.test('a signal ends all of them', async (t) => {
    server.child.kill('SIGTERM')
    t.equal(await server.ended, 0)
    await t.rejects(callApi(owner, '/api/folders'))
    t.notMatch(server.stderr(), postgres.credentials)
  })
})
