import { expectErr, expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { addOwner, addSecret, openIn } from '../support/installation.ts'

const ann = ['--account', 'ann@example.org']
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** Three secrets: one was opened twice of three times, one is locked by wrong passwords, one was never opened. */
async function withSecrets(t: Test) {
  const command = testCommand(t)
  await command.json(['account', 'list'])
  const installation = await openIn(command.cwd)
  const { sotto } = installation
  const owner = await addOwner(installation)
  const opened = await addSecret(installation, owner, { label: 'opened', openLimit: 3 })
  const locked = await addSecret(installation, owner, { label: 'locked', password: 'pass' })
  const fresh = await addSecret(installation, owner, { label: 'fresh' })
  for (let count = 0; count < 2; count += 1) expectOk(await sotto.openSecret({ token: opened.link.token }))
  for (let count = 0; count < 5; count += 1)
    expectErr(await sotto.openSecret({ token: locked.link.token, password: 'wrong' }))
  await installation.close()
  return { ...command, owner, opened, locked, fresh }
}

// Promise (The owner's pages): `secret list` shows opens and locks
t.test('secrets are listed with their links, opens and locks, the newest link first', async (t) => {
  const { run, json, opened, locked, fresh } = await withSecrets(t)
  const list = await json<Record<string, unknown>[]>(['secret', 'list', ...ann])
  t.match(list, [
    { id: fresh.id, opens: 0, opens_left: null, opened_at: [], locked_until: null, disabled: false },
    { id: locked.id, opens: 0, has_password: true, locked_until: time, has_note: true },
    { id: opened.id, open_limit: 3, opens: 2, opens_left: 1, opened_at: [time, time], locked_until: null },
  ])
  t.equal(list.length, 3)
  t.match(list[0], { link: { url: `http://localhost:3000/${fresh.link.token}`, created_at: time } })
  const { code, stdout, stderr } = await run(['secret', 'list', ...ann])
  t.match({ code, stderr }, { code: 0, stderr: '' })
  const [titles, ...rows] = stdout.trimEnd().split('\n')
  t.match(titles, /^ID +EXPIRES +OPENS +LOCKED +TITLE$/)
  t.match(rows[0], /:\d\d {2}0 of any +fresh$/)
  t.match(rows[1], /:\d\d {2}0 of any +\d\d:\d\d:\d\d +locked$/)
  t.match(rows[2], /:\d\d {2}2 of 3 +opened$/)
  t.notMatch(stdout, fresh.link.token, 'the table shows no link')
  const noPort = { SOTTO_PORT: '0' }
  t.match(await run(['secret', 'list', ...ann], { env: noPort }), { code: 1, stderr: /SOTTO_LINK_BASE_URL/ })
})

t.test('an unlocked secret is opened by the right password at once', async (t) => {
  const { cwd, run, json, locked, fresh } = await withSecrets(t)
  const lines = { env: { SOTTO_LOG_LEVEL: 'info' } }
  const { code, stdout, stderr } = await run(['secret', 'unlock', ...ann, locked.id.toUpperCase()], lines)
  t.match({ code, stdout }, { code: 0, stdout: `${locked.id} is unlocked\n` })
  t.match(JSON.parse(stderr), { audit: true, event: 'secret_unlocked', secret_id: locked.id })
  t.match(await run(['secret', 'unlock', ...ann, fresh.id], lines), {
    stdout: `${fresh.id} was not locked\n`,
    stderr: '',
  })
  t.strictSame(await json(['secret', 'unlock', ...ann, locked.id]), { id: locked.id, was_locked: false })
  t.match(await run(['secret', 'unlock', ...ann, 'nonsense']), { code: 1, stderr: /no such secret/ })
  const { sotto, close } = await openIn(cwd)
  expectOk(await sotto.openSecret({ token: locked.link.token, password: 'pass' }))
  await close()
})
