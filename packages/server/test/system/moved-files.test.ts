import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rowIn } from '../support/raw-sqlite.ts'
import { runSotto, spawnServer } from '../support/spawned.ts'

// Promise (Installing and operating): No secret is acknowledged into a file that its path no longer leads to
t.test('no secret is acknowledged into a database that is not at its path any more', async (t) => {
  const cwd = t.testdir()
  const server = await spawnServer(t, { cwd })
  const { token = '', folder_id } = server.firstStart ?? {}
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
    const response = await fetch(`${server.baseUrl}${path}`, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const create = (label: string) => ask('POST', '/api/secret', { label, note: 'a note', folder_id })
  const listed = async () => {
    const { data } = JSON.parse((await ask('GET', '/api/secrets')).text) as { data: { label: string }[] }
    return data.map(({ label }) => label).toSorted()
  }
  t.equal((await create('before')).status, 201)
  const backup = await runSotto(t, ['backup', 'made.backup'], { cwd })
  t.equal(backup.code, 0, backup.stderr)
  const path = join(cwd, 'data', 'sotto.sqlite')

  renameSync(path, `${path}.away`)
  copyFileSync(join(cwd, 'made.backup'), path)
  const refused = await Promise.all([1, 2, 3, 4, 5].map((n) => create(`refused ${n}`)))
  for (const { status, text, headers } of refused) {
    t.equal(status, 503)
    t.ok(headers.has('retry-after'))
    t.notMatch(text, 'sqlite')
  }
  t.equal((await ask('GET', '/readyz')).status, 503)
  await server.logged(/^sotto: sotto\.sqlite was moved, replaced or removed while it is open: .*$/m)

  renameSync(`${path}.away`, path)
  t.equal((await create('after')).status, 201)
  t.same(await listed(), ['after', 'before'])
  server.child.kill('SIGKILL')
  await server.ended
  t.same(rowIn(path, 'SELECT count(*) AS secrets FROM secrets'), { secrets: 2 }, 'also after a kill')
})
