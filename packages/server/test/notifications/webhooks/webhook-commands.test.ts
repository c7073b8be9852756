import t, { type Test } from 'tap'
import { testCommand } from '../../support/in-process.ts'
import { startHttpReceiver, type Answer } from '../../support/receivers.ts'

const ann = ['--account', 'ann@example.org']
const env = { SOTTO_WEBHOOK_ALLOW: '127.0.0.1' }

/** An account, and somebody who receives. */
async function installed(t: Test, answer?: Answer) {
  const command = testCommand(t)
  await command.json(['account', 'create', '--email', 'ann@example.org'])
  return { ...command, hook: await startHttpReceiver(t, answer) }
}

t.test('a new webhook prints its signing secret, which no list shows', async (t) => {
  const { run, json, hook } = await installed(t)
  const printed = await run(['webhook', 'create', ...ann, '--url', hook.url], { env })
  t.match(printed, { code: 0, stdout: /^whsec_[A-Za-z0-9+/]{32}\n$/, stderr: '' })
  const url = 'https://example.org/hook'
  const created = await json<{ id: string; secret: string }>(['webhook', 'create', ...ann, '--url', url])
  t.strictSame(Object.keys(created), ['id', 'secret', 'url'])

  const listed = await json<Record<string, unknown>[]>(['webhook', 'list', ...ann])
  t.match(listed, [
    { url: hook.url, failing_since: null, disabled_at: null, disabled_reason: null },
    { id: created.id, url },
  ])
  t.equal(listed.length, 2)
  const table = (await run(['webhook', 'list', ...ann])).stdout
  t.match(table, /^ID +FAILING SINCE +DISABLED +URL\n/)
  t.notMatch(table + JSON.stringify(listed), /whsec_/)
})

t.test('an address that is not public is refused, with what to do', async (t) => {
  const { run, hook } = await installed(t)
  const create = (url: string) => run(['webhook', 'create', ...ann, '--url', url])
  t.match(await create(hook.url), { code: 1, stdout: '', stderr: /^sotto: --url leads to an address/ })
  t.match(await create('http://example.org'), { code: 1, stderr: /^sotto: --url must begin with https/ })
  t.match(await create('https://10.0.0.1/hook'), { code: 1, stderr: /SOTTO_WEBHOOK_ALLOW/ })
  t.match(await create('nonsense'), { code: 1, stderr: /--url must be a URL/ })
  t.match(await run(['webhook', 'create', ...ann]), { code: 2 })
})

t.test('an account has 5 webhooks at most', async (t) => {
  const { run } = await installed(t)
  const create = () => run(['webhook', 'create', ...ann, '--url', 'https://example.org/hook'])
  for (let i = 0; i < 5; i++) t.match(await create(), { code: 0 })
  t.match(await create(), { code: 1, stdout: '', stderr: /has 5 webhooks already/ })
})

t.test('a test posts a message immediately and says how it fared', async (t) => {
  let status = 204
  const { run, json, hook } = await installed(t, () => status)
  const { id } = await json<{ id: string }>(['webhook', 'create', ...ann, '--url', hook.url], { env })
  const test = () => run(['webhook', 'test', ...ann, id], { env })
  t.match(await test(), { code: 0, stdout: `${id} took the test message\n`, stderr: '' })
  t.match(JSON.parse(hook.received[0]?.body ?? ''), { type: 'webhook.test' })
  status = 503
  t.match(await test(), { code: 1, stdout: '', stderr: 'sotto: the message was not delivered: status 503\n' })
  t.match(await run(['webhook', 'test', ...ann, 'nonsense']), { code: 1, stderr: /has no such webhook/ })
})
