import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { addOwner, entriesOf, openIn } from '../support/installation.ts'
import { openRaw } from '../support/raw-sqlite.ts'
import { onSmallDisk } from '../../../adapter-postgres/test/support/small-disk.ts'
import { runSotto, spawnServer, type SpawnedServer } from '../support/spawned.ts'

const canLimit = spawnSync('prlimit', ['--pid', String(process.pid), '--fsize']).status === 0
const skipLimit = canLimit ? false : 'the limits of another process cannot be set here'
const canTrace = spawnSync('strace', ['-f', '-e', 'trace=fsync', '-o', '/dev/null', 'true']).status === 0
const skipTrace = process.env['CI'] || canTrace ? false : 'strace is missing, or may not trace here'

/** Runs a program whose system calls on these files fail as `fault` says, in the words of strace. */
function failing(calls: string, fault: string, paths: readonly string[]): readonly string[] {
  const filter = [
    ...paths.flatMap((path) => ['-P', path]),
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:${fault}`,
  ]
  return ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', ...filter]
}

function filesIn(cwd: string): readonly string[] {
  return ['sotto.sqlite', 'sotto.sqlite-wal', 'quota.sqlite', 'quota.sqlite-wal'].map((name) =>
    join(cwd, 'data', name),
  )
}

/**
 * Node.js ignores SIGXFSZ, so that a write beyond the limit of a file's size is an error. The test runner loads something into each process
 * that ends it.
 */
const nodeArgs = ['--import', 'data:text/javascript,process.on("SIGXFSZ",()=>{})']

const canary = 'canary-of-a-note'

type Client = ReturnType<typeof clientOf>

/** The requests of an owner and of a recipient. */
function clientOf(
  { baseUrl }: SpawnedServer,
  { token = '', folder_id: folderId = '' }: { readonly token?: string; readonly folder_id?: string },
) {
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
    const response = await fetch(`${baseUrl}${path}`, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const statusOf = async (method: string, path: string) => (await ask(method, path)).status
  const create = () =>
    ask('POST', '/api/secret', { label: 'a label', note: canary, folder_id: folderId, open_limit: 1 })
  return { ask, statusOf, create }
}

function pathOfLink(text: string): string {
  const { data } = JSON.parse(text) as { readonly data: { readonly link: { readonly url: string } } }
  return new URL(data.link.url).pathname
}

/** Waits until readiness has this status; it is asked of the disk at most once a second. */
async function untilReadiness(t: Test, { statusOf }: Client, status: number): Promise<void> {
  const endMillis = performance.now() + 60_000
  while ((await statusOf('GET', '/readyz')) !== status) {
    if (performance.now() > endMillis) return void t.fail(`/readyz is never ${status}`)
    await pause(50)
  }
}

t.test('a server on a disk with faults', { skip: skipLimit }, async (t) => {
  const cwd = t.testdir()
  const server = await spawnServer(t, { cwd, nodeArgs, env: { SOTTO_LOG_LEVEL: 'trace' } })
  const client = clientOf(server, server.firstStart ?? {})
  const link = pathOfLink((await client.create()).text)

  // Promise (Installing and operating): While no file can be written, writes are 503, change nothing, and work again afterwards
  await t.test('while no file can be written, only pages are shown', async (t) => {
    const limit = (bytes: string) =>
      spawnSync('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}:`])
    limit('0')
    await untilReadiness(t, client, 503)
    for (const refused of [
      await client.create(),
      await client.ask('POST', link),
      await client.ask('GET', '/api/folders'),
    ]) {
      t.equal(refused.status, 503)
      t.ok(refused.headers.has('retry-after'))
      t.notMatch(refused.text, /SQLITE|disk/)
    }
    t.equal(await client.statusOf('GET', link), 200, 'the page of a link')
    t.equal(await client.statusOf('GET', '/login'), 200)
    t.equal(await client.statusOf('GET', '/healthz'), 200)
    limit('unlimited')
    await untilReadiness(t, client, 200)
    t.equal((await client.create()).status, 201)
    const list = await client.ask('GET', '/api/secrets')
    t.equal(list.text.match(/"url"/g)?.length, 2, 'what was refused was not created')
    await server.logged(/"reason":"disk_failed","detail":"SQLITE_IOERR_WRITE/)
  })

  // Promise (Installing and operating): While no file can be written, writes are 503, change nothing, and work again afterwards: also when
  // another program holds a lock
  await t.test('a lock of a stranger stops what needs the locked file, as long as it is held', async (t) => {
    for (const [name, list] of [
      ['sotto', 200],
      ['quota', 503],
    ] as const) {
      const stranger = openRaw(join(cwd, 'data', `${name}.sqlite`))
      stranger.exec('BEGIN EXCLUSIVE')
      await untilReadiness(t, client, 503)
      const statuses = await Promise.all([
        client.create().then(({ status }) => status),
        client.statusOf('GET', '/api/secrets'),
        client.statusOf('GET', link),
      ])
      t.strictSame(statuses, [503, list, 200], name)
      stranger.exec('ROLLBACK')
      stranger.close()
      await untilReadiness(t, client, 200)
      t.equal((await client.create()).status, 201)
    }
  })

  // Promise (Installing and operating): While no file can be written, writes are 503, change nothing, and work again afterwards: and
  // commands say so
  await t.test('commands say what the disk refuses', { skip: skipTrace }, async (t) => {
    const backup = join(cwd, 'backup')
    const noWrites = failing('pwrite64', 'error=EIO', filesIn(cwd))
    const noSyncs = failing('fsync,fdatasync', 'error=EIO', [])
    const [account, found, backedUp] = await Promise.all([
      runSotto(t, ['account', 'create', '--email', 'bob@example.org'], { cwd, under: noWrites }),
      runSotto(t, ['doctor'], { cwd, under: noWrites }),
      runSotto(t, ['backup', backup], { cwd, under: noSyncs }),
    ])
    t.match(account, { code: 1, stdout: '', stderr: /^sotto: the disk cannot be .*\(SQLITE_IOERR_WRITE/ })
    t.match(backedUp, { code: 1, stdout: '', stderr: /^sotto: the backup .* cannot be written \(\w+/ })
    t.notOk(existsSync(backup))
    t.equal(found.code, 1)
    for (const what of ['database: it', 'quota: the counters'])
      t.match(
        found.stdout,
        new RegExp(`✗ ${what} cannot be written \\(SQLITE_IOERR_WRITE: disk I/O error\\)`),
      )
  })

  t.match((await client.ask('POST', link)).text, canary, 'an open that was refused was not counted')
  t.equal(await client.statusOf('POST', link), 404)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  for (const confidential of [canary, link.slice(1), server.firstStart?.token ?? ''])
    t.notMatch(server.stderr(), confidential)
})

// Promise (Installing and operating): A server whose fsync fails ends, and has acknowledged only data that is kept
t.test('a server whose fsync fails ends and loses nothing', { skip: skipTrace }, async (t) => {
  const cwd = t.testdir()
  const before = await openIn(cwd)
  const { accountId, folderId, token } = await addOwner(before)
  await before.close()
  const under = failing('fsync,fdatasync', 'error=EIO:when=8+', [join(cwd, 'data', 'sotto.sqlite-wal')])
  const server = await spawnServer(t, { cwd, under })
  const client = clientOf(server, { token, folder_id: folderId })
  const acknowledged: string[] = []
  const loading = (async () => {
    for (;;) acknowledged.push(pathOfLink((await client.create()).text).slice(1))
  })()
  await t.rejects(loading, TypeError, 'a write that is not on the disk has no answer')
  t.equal(await server.ended, 1)
  t.match(server.stderr(), /sotto: the disk did not keep what was written to it/)

  const after = await openIn(cwd)
  const links = (await entriesOf(after.sotto.listSecrets({ accountId }))).map(({ link }) => link.token)
  t.ok(acknowledged.length > 0)
  for (const link of acknowledged) t.ok(links.includes(link))
  await after.close()
})

// Promise (Installing and operating): A server does not start on a disk that cannot be written
t.test('a server does not start on a disk that is full or read-only, and says so', async (t) => {
  const mounted = await onSmallDisk(2_097_152, async (small) => {
    const { run, json } = testCommand(t, { cwd: small })
    await json(['account', 'create', '--email', 'ann@example.org'])
    const refused = async (reason: RegExp) => {
      const { code, stderr } = await run(['serve'])
      t.equal(code, 1)
      t.match(stderr, reason)
    }
    const filler = join(small, 'filler')
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096'])
    await refused(/^sotto: the database .* cannot be written \(the disk is full\): see SOTTO_DATA_DIR\n$/)
    writeFileSync(filler, '')
    spawnSync('mount', ['-o', 'remount,ro', small])
    await refused(/^sotto: the database .* cannot be written \(.*\): see SOTTO_DATA_DIR\n$/)
    spawnSync('mount', ['-o', 'remount,rw', small])
    t.match(JSON.stringify(await json(['account', 'list'])), /ann@example\.org/)
  })
  if (!mounted) t.pass('a full disk', { skip: 'mounting is not permitted here' })
})

// Promise (Installing and operating): `/readyz` is red and `doctor` fails while this user may not write `files/`, or its disk is read-only:
// on a disk of its own
t.test('while the disk of `files/` is read-only, the server is not ready, and doctor says why', async (t) => {
  const cwd = t.testdir()
  const mounted = await onSmallDisk(1_048_576, async (small) => {
    chmodSync(small, 0o700)
    mkdirSync(join(cwd, 'data'), { mode: 0o700 })
    symlinkSync(small, join(cwd, 'data', 'files'))
    const env = { SOTTO_DISK_RESERVE_BYTES: '0' }
    const server = await spawnServer(t, { cwd, env })
    const client = clientOf(server, server.firstStart ?? {})
    const wrong = async () => /^✗ files: .*$/m.exec((await runSotto(t, ['doctor'], { cwd, env })).stdout)?.[0]
    await untilReadiness(t, client, 200)
    t.equal(await wrong(), undefined)
    spawnSync('mount', ['-o', 'remount,ro', small])
    await untilReadiness(t, client, 503)
    t.match(await wrong(), /files cannot be written \(EROFS\), so no file is taken: /)
    t.equal((await client.create()).status, 201, 'a secret without files')
    spawnSync('mount', ['-o', 'remount,rw', small])
    await untilReadiness(t, client, 200)
    server.child.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })
  if (!mounted) t.pass('a read-only disk', { skip: 'mounting is not permitted here' })
})

// Promise (Files): While the disk keeps too little free, files are refused with 507, and everything else works
t.test('uploads leave their reserve free on a disk of its own, and everything else works', async (t) => {
  const cwd = t.testdir()
  const mebibyte = 1_048_576
  const mounted = await onSmallDisk(64 * mebibyte, async (small) => {
    chmodSync(small, 0o700)
    symlinkSync(small, join(cwd, 'data'))
    const env = { SOTTO_DISK_RESERVE_BYTES: String(30 * mebibyte) }
    const server = await spawnServer(t, { cwd, env })
    const client = clientOf(server, server.firstStart ?? {})
    const { folder_id = '', token = '' } = server.firstStart ?? {}
    const upload = async () => {
      const body = new FormData()
      body.append('secret', JSON.stringify({ label: 'Label', note: 'note', folder_id }))
      body.append('file', new Blob([Buffer.alloc(6 * mebibyte)]), 'a file')
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${server.baseUrl}/api/secret`, { method: 'POST', headers, body })
      if (answer.status === 400) t.fail(await answer.text())
      return answer.status
    }
    const statuses = await Promise.all(Array.from({ length: 12 }, upload))
    // Those that arrive together may all be refused, when none of them gets the room that it needs.
    t.ok(statuses.includes(507), statuses.join())
    t.strictSame(
      statuses.filter((status) => status !== 201 && status !== 507),
      [],
    )
    // What was reserved for those that were refused is free again.
    const taken = [...statuses]
    while (taken.length < 24 && (taken.length === 12 || taken.at(-1) === 201)) taken.push(await upload())
    t.ok(taken.includes(201), taken.join())
    t.equal(taken.at(-1), 507)
    const { bavail, bsize } = statfsSync(small)
    t.ok(bavail * bsize >= 29 * mebibyte, `${bavail * bsize} bytes are free`)
    const created = await client.create()
    t.equal(created.status, 201)
    await untilReadiness(t, client, 200)
    server.child.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })
  if (!mounted) t.pass('a small disk', { skip: 'mounting is not permitted here' })
})
