import { findFreePort } from '@sotto/system'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { connectToWorkers, type Connection } from '../support/connections.ts'
import { addSecret, openIn, type Owner } from '../support/installation.ts'
import { testCommand } from '../support/in-process.ts'
import { startHttpReceiver } from '../support/receivers.ts'
import { runSotto, spawnServer } from '../support/spawned.ts'

const canLimit = spawnSync('prlimit', ['--pid', String(process.pid), '--nofile']).status === 0
const skipLimit = canLimit ? false : 'the limits of another process cannot be set here'

const json = { accept: 'application/json' }

/** Prints the arguments of Node.js in each process that it starts. */
const sayArguments =
  'process.stderr.write(`${process.pid} ${process.argv[2]} has ${process.execArgv.join(" ")}\\n`)'

function moduleOf(code: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

// Promise (Installing and operating): Two workers serve one port, within one quota and one open limit
t.test('two workers serve one port as one process does', async (t) => {
  const cwd = t.testdir()
  const receiver = await startHttpReceiver(t)
  const metricsPort = await twoFreePorts()
  const server = await spawnServer(t, {
    cwd,
    env: {
      SOTTO_WORKERS: '2',
      SOTTO_METRICS_PORT: String(metricsPort),
      SOTTO_LIMIT_PER_MINUTE: '20',
      SOTTO_LOG_LEVEL: 'debug',
      SOTTO_WEBHOOK_ALLOW: '127.0.0.1',
    },
    nodeArgs: moduleOf(sayArguments),
  })
  const owner = await ownerOf(cwd, `${receiver.url}/hook`)
  const byPid = await connectToWorkers(t, server, { workers: 2, each: 3 })
  const [one, other] = [...byPid.values()] as [Connection[], Connection[]]
  const all = [...one, ...other]
  const [, leader = ''] = /"pid":(\d+),.*account_created/.exec(server.stderr()) ?? []
  const survivor = [...byPid.keys()].find((pid) => pid !== Number(leader)) ?? 0
  const [beside] = byPid.get(survivor) ?? []

  t.equal(server.stdout().trim().split('\n').length, 1, 'one line says that it listens')

  await t.test('workers have the heap of a server', async (t) => {
    for (const pid of byPid.keys())
      t.match(server.stderr(), new RegExp(`^${pid} serve-worker has .*--max-semi-space-size=8 `, 'm'))
  })

  await t.test('of 21 simultaneous calls over all connections exactly 20 are allowed', async (t) => {
    const token = server.firstStart?.token ?? ''
    const answers = await Promise.all(
      Array.from({ length: 21 }, (_, at) => all[at % all.length]!.ask('GET', '/api/folders', { token })),
    )
    const statuses = answers.map((answer) => answer.status)
    t.strictSame(statuses.sort(), [...Array<number>(20).fill(200), 429])
  })

  await t.test('a link with one open that both open at the same time is opened once', async (t) => {
    const path = await linkIn(cwd, owner, { openLimit: 1 })
    const opens = await Promise.all(all.map((connection) => connection.ask('POST', path, { body: {} })))
    const statuses = opens.map(({ status }) => status)
    t.strictSame(statuses.sort(), [200, ...Array<number>(all.length - 1).fill(404)])
  })

  // Promise (Installing and operating): Two workers serve one port, within one quota and one open limit: a revoked token is refused by each
  await t.test('a token that the command revokes is refused by each worker', async (t) => {
    const { token } = owner
    const calls = () =>
      Promise.all([one, other].map(([first]) => first!.ask('GET', '/api/folders', { token })))
    t.match(await calls(), [{ status: 200 }, { status: 200 }])
    const command = testCommand(t, { cwd, isEmpty: true })
    const account = ['--account', 'ann@example.org']
    const [{ id }] = await command.json<[{ id: string }]>(['token', 'list', ...account])
    t.match(await command.run(['token', 'revoke', ...account, id]), { code: 0 })
    t.match(await calls(), [{ status: 401 }, { status: 401 }])
  })

  await t.test('a message that one queues is sent by the other, and what it erases is gone', async (t) => {
    const path = await linkIn(cwd, owner, { openLimit: 1, notify: true })
    t.match(await beside?.ask('POST', path, { body: {} }), { status: 200 })
    await receiver.until(1)
    while (statSync(`${cwd}/data/sotto.sqlite-wal`).size > 0) await pause(50)
    // Without being told, it would look for either of them from time to time only.
    for (const kind of ['wake', 'erased'])
      await server.logged(new RegExp(`"pid":${leader},.*"kind":"${kind}","msg":"told`))
  })

  await t.test('each worker has metrics of its own', async (t) => {
    for (const port of [metricsPort, metricsPort + 1]) {
      const page = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text())
      t.match(page, /^sotto_http_requests_total\{.*route="\/api\/folders",status="200"\}/m)
    }
  })

  // Promise (Installing and operating): Two workers serve one port, within one quota and one open limit: a worker that dies is replaced,
  // and another one sweeps
  await t.test('a worker that is killed is replaced, and the other goes on and sweeps', async (t) => {
    await addExpired(cwd, owner)
    process.kill(Number(leader), 'SIGKILL')
    t.match(await beside?.ask('GET', '/healthz'), { status: 200 }, 'on the connection that it had')
    const [, by, worker] = await server.logged(
      /"pid":(\d+),.*"worker":(\d+),"exitCode":null,"signal":"SIGKILL",.*replaced/,
    )
    t.strictSame([by, worker], [String(survivor), leader])
    await server.logged(new RegExp(`"pid":${survivor},.*expired secrets were erased`))
    await server.logged(/(?:listening at[^]*){3}/)
    const replaced = await connectToWorkers(t, server, { workers: 2, each: 1 })
    t.ok(replaced.has(survivor))
    t.notOk(replaced.has(Number(leader)))
  })

  await t.test('a worker that the system refuses to start is tried again', { skip: skipLimit }, async (t) => {
    const workers = await connectToWorkers(t, server, { workers: 2, each: 1 })
    const other = [...workers.keys()].find((pid) => pid !== survivor) ?? 0
    limitDescriptors(server.child.pid, 3)
    process.kill(other, 'SIGKILL')
    await server.logged(/"exitCode":null,"signal":null,"startError":"EMFILE",.*replaced/)
    t.match(await beside?.ask('GET', '/healthz'), { status: 200 }, 'the rest goes on')
    limitDescriptors(server.child.pid, 1_024)
    await server.logged(/(?:listening at[^]*){4}/)
    const replaced = await connectToWorkers(t, server, { workers: 2, each: 1 })
    t.ok(replaced.has(survivor))
  })

  // Promise (Installing and operating): Two workers serve one port, within one quota and one open limit: and a signal ends all of them
  await t.test('a signal ends all processes, also while a request does not end', async (t) => {
    const hanging = request(`${server.baseUrl}/anything`, {
      method: 'POST',
      headers: { ...json, 'content-type': 'application/json', 'content-length': 9, expect: '100-continue' },
    })
    hanging.on('error', () => {})
    hanging.flushHeaders()
    await once(hanging, 'continue')
    server.child.kill('SIGTERM')
    t.equal(await server.ended, 0)
    t.match(server.stderr(), /"msg":"requests that took too long were cut off"/)
    const pids = [...server.stderr().matchAll(/^(\d+) serve-worker/gm)].map(([, pid]) => Number(pid))
    t.equal(pids.length, canLimit ? 4 : 3)
    for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  })
})

// Promise (Installing and operating): An error that prevents a start is printed once, with any number of workers
t.test('what prevents a start is said once, however many workers there are', async (t) => {
  const cwd = t.testdir()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  t.strictSame(
    await runSotto(t, ['serve', '--json'], {
      cwd,
      env: { SOTTO_WORKERS: '2', SOTTO_PORT: String(port), SOTTO_LOG_LEVEL: 'error' },
    }),
    {
      code: 1,
      stdout: '',
      stderr: `sotto: port ${port} is in use by another program: stop that, or set SOTTO_PORT\n`,
    },
  )
  taken.close()
})

t.test('workers that die at their start end the server', async (t) => {
  const died = await runSotto(t, ['serve'], {
    cwd: t.testdir(),
    env: { SOTTO_WORKERS: '2' },
    nodeArgs: moduleOf('if (process.argv[2] === "serve-worker") process.exit(7)'),
  })
  t.strictSame(died, {
    code: 1,
    stdout: '',
    stderr:
      'sotto: a worker process has ended (exit code 7), so the server ends: the log says why, or try SOTTO_WORKERS=1\n',
  })
})

/** From now on the process can open no file above so many. */
function limitDescriptors(pid: number | undefined, most: number): void {
  spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`])
}

/** An account with a webhook, beside the one of the first start. */
async function ownerOf(cwd: string, url: string): Promise<Owner> {
  const installation = await openIn(cwd, { env: { SOTTO_WEBHOOK_ALLOW: '127.0.0.1' } })
  const { id: accountId } = expectOk(await installation.sotto.createAccount({ email: 'ann@example.org' }))
  const { id: folderId } = expectOk(await installation.sotto.createFolder({ accountId, label: 'Doors' }))
  const { token } = expectOk(await installation.sotto.createAccessToken({ accountId, name: 'laptop' }))
  expectOk(await installation.sotto.createWebhook({ accountId, url }))
  await installation.close()
  return { accountId, folderId, token }
}

/** The path of a new link. */
async function linkIn(
  cwd: string,
  owner: Owner,
  fields: { readonly openLimit: number; readonly notify?: boolean },
): Promise<string> {
  const installation = await openIn(cwd)
  const { link } = await addSecret(installation, owner, fields)
  await installation.close()
  return `/${link.token}`
}

/** Adds a secret that has expired already. */
async function addExpired(cwd: string, owner: Owner): Promise<void> {
  const longAgo = { nowMicros: () => (Date.now() - 60 * 86_400_000) * 1_000 }
  const installation = await openIn(cwd, { replace: { clock: longAgo } })
  await addSecret(installation, owner)
  await installation.close()
}

async function twoFreePorts(): Promise<number> {
  for (;;) {
    const [port, next] = [await findFreePort(), await findFreePort()]
    if (next === port + 1) return port
  }
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis))
}
