import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'node:test'
import { createSotto } from '@sotto/core'
import { createMemoryPorts, expectOk } from '@sotto/test-kit'
import { createApp } from './app.ts'

test('a secret is created by a user, and opened once with its password', async (t) => {
  const main = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => main.kill())
  const [line] = (await once(main.stdout, 'data')) as [Buffer]
  const origin = line.toString().trim()
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = (await response.json()) as { token?: string }
    return { status: response.status, ...answer }
  }

  const secret = { label: 'Router', note: 'correct horse', password: 'battery' }
  assert.deepEqual(await post('/secrets', secret), { status: 401, error: 'unauthenticated' })
  const invalid = await post('/secrets', { ...secret, note: '' }, { 'x-user': 'ann' })
  assert.deepEqual(invalid, { status: 400, error: 'fields_invalid' })
  const { status, token } = await post('/secrets', secret, { 'x-user': 'ann' })
  assert.equal(status, 201)
  const { password } = secret
  assert.deepEqual(await post('/open', { token }), { status: 403, error: 'password_required' })
  assert.deepEqual(await post('/open', { token, password }), {
    ...{ status: 200, label: 'Router', note: 'correct horse' },
  })
  assert.deepEqual(await post('/open', { token, password }), { status: 404, error: 'link_not_found' })
})

test('all secrets of a user go into one folder', async () => {
  const sotto = createSotto({ ports: createMemoryPorts() })
  const app = createApp(sotto, ({ headers }) => headers.get('x-user') ?? undefined)
  for (const label of ['Router', 'Door']) {
    const body = JSON.stringify({ label, note: 'correct horse' })
    const created = await app.request('/secrets', { method: 'POST', headers: { 'x-user': 'ann' }, body })
    assert.equal(created.status, 201)
  }
  const { id: accountId } = expectOk(await sotto.ensureAccount({ externalId: 'ann' }))
  for await (const page of sotto.listFolders({ accountId })) {
    const folders = expectOk(page).items.map(({ label, secretsCount }) => ({ label, secretsCount }))
    assert.deepEqual(folders, [{ label: 'Inbox', secretsCount: 2 }])
  }
})
