import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { createFullSotto } from '@sotto/identity'
import { createMemoryPorts, expectOk } from '@sotto/test-kit'
import { createApp } from './app.ts'

const origin = 'http://localhost:3000'

async function inMemory() {
  const ports = createMemoryPorts()
  const sotto = createFullSotto({ ports })
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const app = await createApp({ sotto, origin, sessions: new Map([['s1', 'ann']]), log })
  return { app, sotto, lines }
}

test('users of the application have the API, and nobody else has', async () => {
  const { app, sotto } = await inMemory()
  const folders = (headers: Record<string, string>) => app.inject({ url: '/tools/secrets/folders', headers })
  assert.equal((await folders({})).statusCode, 401)
  const unknown = await folders({ cookie: 'session=s2' })
  assert.equal(unknown.statusCode, 401)
  assert.match(String(unknown.headers['www-authenticate']), /error="invalid_token"/)
  assert.equal((await folders({ authorization: 'Bearer s1' })).statusCode, 401)

  const { id: accountId } = expectOk(await sotto.ensureAccount({ externalId: 'ann' }))
  expectOk(await sotto.createFolder({ accountId, label: 'Inbox' }))
  const { data } = (await folders({ cookie: 'session=s1' })).json<{ data: { label: string }[] }>()
  assert.deepEqual(
    data.map(({ label }) => label),
    ['Inbox'],
  )
  assert.equal((await app.inject('/tools/hello')).body, 'A route of the application.')
  await app.close()
})

test('users of the application have the pages, and everybody else is sent to sign in', async () => {
  const { app } = await inMemory()
  const page = (cookie: string) => app.inject({ url: '/dashboard', headers: { cookie } })
  assert.equal((await page('session=s1')).statusCode, 200)
  const { statusCode, headers } = await page('')
  assert.deepEqual([statusCode, headers.location], [303, '/sign-in?next=%2Fdashboard'])
  assert.equal((await app.inject('/login')).statusCode, 404)
  await app.close()
})

test('the log of the application never has the token of a link', async () => {
  const { app, lines } = await inMemory()
  const token = 'X7UWw1JvTG4Rjje_R9AIhRZG8KeKRWfMSXC-JjmqwEA'
  assert.equal((await app.inject(`/${token}`)).statusCode, 404)
  await app.close()
  assert.ok(lines.some((line) => line.includes('answered')))
  assert.ok(!lines.join('').includes(token))
})

test('it starts on a disk, answers, and ends', async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'sotto-example-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const env = { ...process.env, SOTTO_PORT: '0', SOTTO_HOST: '127.0.0.1', SOTTO_BASE_URL: origin }
  const main = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    ...{ cwd, env, stdio: ['ignore', 'pipe', 'inherit'] },
  })
  const [line] = (await once(main.stdout, 'data')) as [Buffer]
  const [address = ''] = /http:[^"\s]+\d/.exec(line.toString()) ?? []
  assert.equal((await fetch(`${address}/tools/hello`)).status, 200)
  main.kill('SIGTERM')
  assert.deepEqual(await once(main, 'exit'), [0, null])
})
