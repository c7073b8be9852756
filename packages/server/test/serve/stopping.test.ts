import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import t from 'tap'
import { spawnServer, spawnSotto } from '../support/spawned.ts'

t.test('a running request is finished when the server is stopped', async (t) => {
  const cwd = t.testdir()
  const { baseUrl, firstStart, child, ended, stderr } = await spawnServer(t, { cwd })
  const authorization = `Bearer ${firstStart?.token ?? ''}`
  const body = JSON.stringify({ label: 'a', note: 'b', folder_id: firstStart?.folder_id })
  const post = request(`${baseUrl}/api/secret`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  post.flushHeaders()
  await once(post, 'continue')
  child.kill('SIGTERM')
  while (!stderr().includes('"stopping"')) await once(child.stderr!, 'data')
  post.end(body)
  const [response] = (await once(post, 'response')) as [{ statusCode: number; resume(): void }]
  response.resume()
  t.equal(response.statusCode, 201)
  t.equal(await ended, 0)
})

t.test('a later signal ends the server immediately, an echo of the first one does not', async (t) => {
  const cwd = t.testdir()
  const { baseUrl, firstStart, child, ended, stderr } = await spawnServer(t, { cwd })
  const authorization = `Bearer ${firstStart?.token ?? ''}`
  const post = request(`${baseUrl}/api/secret`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      'content-length': 9,
      expect: '100-continue',
    },
  })
  post.on('error', () => {})
  post.flushHeaders()
  await once(post, 'continue')
  spawnSync('kill', ['-INT', String(child.pid), String(child.pid)])
  while (!stderr().includes('"stopping"')) await once(child.stderr!, 'data')
  t.equal(child.exitCode, null)
  const startMillis = performance.now()
  const again = setInterval(() => child.kill('SIGTERM'), 100)
  t.equal(await ended, 143)
  clearInterval(again)
  t.ok(performance.now() - startMillis < 8_000, 'long before it would have stopped otherwise')
})

t.test('a defect ends the server, and the log does not contain its message', async (t) => {
  const cwd = t.testdir()
  const defect = 'process.on("SIGUSR2", () => Promise.reject(new Error("hun" + "ter2")))'
  const { child, ended, stderr } = await spawnServer(t, {
    cwd,
    nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(defect)}`],
  })
  child.kill('SIGUSR2')
  t.equal(await ended, 1)
  t.match(stderr(), /"level":60,.*unhandledRejection: the server ends/)
  t.notMatch(stderr(), /hunter2/)
})

t.test('a closed standard output crashes neither a list nor the server', async (t) => {
  const cwd = t.testdir()
  t.equal(await spawnSotto(t, ['init'], { cwd }).ended, 0)
  const list = spawnSotto(t, ['account', 'list'], { cwd })
  list.child.stdout?.destroy()
  t.equal(await list.ended, 0)
  t.equal(list.stderr(), '')
  const create = spawnSotto(t, ['account', 'create', '--email', 'ann@example.org'], { cwd })
  create.child.stdout?.destroy()
  t.equal(await create.ended, 1, 'an answer that was not written is an error')
  t.match(create.stderr(), /^sotto: done, but the answer could not be written/)
  const server = spawnSotto(t, ['serve'], { cwd })
  server.child.stdout?.destroy()
  while (!server.stderr().includes('standard output is closed')) await once(server.child.stderr!, 'data')
  const [, base = ''] = /listening at (http:\/\/[\d.:]+)/.exec(server.stderr()) ?? []
  t.equal((await fetch(`${base}/healthz`)).status, 200)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
})
