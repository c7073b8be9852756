import type { FullSotto } from '@sotto/identity'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { auditSotto } from '../src/audit.ts'
import { testCommand, type TestCommand } from './support/in-process.ts'

interface Line {
  readonly audit: boolean
  readonly event: string
  readonly time: string
  readonly account_id?: string
}

/** Runs a command, which must succeed, and reads the audit lines on its standard error. */
async function auditsOf(sotto: TestCommand, args: readonly string[], env: NodeJS.ProcessEnv, stdin?: string) {
  const { code, stdout, stderr } = await sotto.run(args, { env, ...(stdin !== undefined && { stdin }) })
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
  return { audits: lines.map((line) => JSON.parse(line) as Line), stdout, stderr }
}

const account = ['--account', 'ann@example.org']
const info = { SOTTO_LOG_LEVEL: 'info' }

// Promise (Installing and operating): Refused tokens have audit lines: and what commands do, where a level is set
t.test('where SOTTO_LOG_LEVEL is set, commands write audit lines with ids on standard error', async (t) => {
  const sotto = testCommand(t)
  const run = (args: readonly string[], stdin?: string) => auditsOf(sotto, args, info, stdin)
  const made = await run(['account', 'create', '--email', 'ann@example.org'])
  const [{ account_id } = { account_id: undefined }] = made.audits
  t.match(made.audits, [{ audit: true, event: 'account_created', account_id: /^[0-9a-f-]{36}$/, time: /Z$/ }])
  const token = await run(['token', 'create', ...account, '--name', 'canary', '--json'])
  const { id, token: secret } = JSON.parse(token.stdout) as { id: string; token: string }
  t.match(token.audits, [{ event: 'token_created', account_id, token_id: id }])
  t.notMatch(token.stderr, secret)
  t.notMatch(token.stderr, /canary|ann@/)
  t.match((await run(['token', 'revoke', ...account, id.toUpperCase()])).audits, [
    { event: 'token_revoked', account_id, token_id: id },
  ])
  t.match((await run(['keys', 'rotate'])).audits, [{ event: 'keys_rotated', kid: 2 }])
  t.match((await run(['keys', 'retire', '1', '--yes'])).audits, [{ event: 'key_retired', kid: 1 }])
  const file = join(sotto.cwd, 'one.backup')
  t.match((await run(['backup', file])).audits, [{ event: 'backup_made', backed_up_at: /Z$/ }])
  const elsewhere = { ...info, SOTTO_DATA_DIR: join(sotto.cwd, 'elsewhere') }
  t.match((await auditsOf(sotto, ['restore', file], elsewhere)).audits, [{ event: 'backup_restored' }])
  t.match((await run(['account', 'disable', '--email', 'ann@example.org'])).audits, [
    { event: 'account_disabled', account_id },
  ])
  t.match((await run(['account', 'delete', '--email', 'ann@example.org', '--yes'])).audits, [
    { event: 'account_deleted', account_id },
  ])
})

t.test('making, renaming and deleting a folder, and deleting a draft, have audit lines', async (t) => {
  const sotto = testCommand(t)
  const run = (args: readonly string[], stdin?: string) => auditsOf(sotto, args, info, stdin)
  await run(['account', 'create', '--email', 'ann@example.org'])
  const folder = await run(['folder', 'create', ...account, '--label', 'canary', '--json'])
  const { id } = JSON.parse(folder.stdout) as { id: string }
  t.match(folder.audits, [{ event: 'folder_created', folder_id: id }])
  const drafted = await run(['draft', 'create', ...account, '--folder', id, '--label', 'l', '--json'], 'n')
  const { id: draft } = JSON.parse(drafted.stdout) as { id: string }
  t.match((await run(['draft', 'delete', ...account, draft.toUpperCase()])).audits, [
    { event: 'draft_deleted', secret_id: draft },
  ])
  const renamed = await run(['folder', 'rename', ...account, id.toUpperCase(), '--label', 'canary'])
  t.match(renamed.audits, [{ event: 'folder_renamed', folder_id: id }])
  t.match((await run(['folder', 'delete', ...account, id])).audits, [
    { event: 'folder_deleted', folder_id: id },
  ])
  t.notMatch([folder.stderr, renamed.stderr], /canary/)
})

t.test('saving and sharing a draft, and destroying a secret, have audit lines', async (t) => {
  const sotto = testCommand(t)
  const run = (args: readonly string[], stdin?: string) => auditsOf(sotto, args, info, stdin)
  await run(['account', 'create', '--email', 'ann@example.org'])
  const folder = await run(['folder', 'create', ...account, '--label', 'Doors', '--json'])
  const { id: folderId } = JSON.parse(folder.stdout) as { id: string }
  const draft = await run(
    ['draft', 'create', ...account, '--folder', folderId, '--label', 'l', '--json'],
    'canary',
  )
  const { id } = JSON.parse(draft.stdout) as { id: string }
  t.match(draft.audits, [{ event: 'draft_saved', secret_id: id }])
  t.match((await run(['draft', 'share', ...account, id])).audits, [{ event: 'draft_shared', secret_id: id }])
  const destroyed = await run(['secret', 'destroy', ...account, id])
  t.match(destroyed.audits, [{ event: 'secret_destroyed', secret_id: id }])
})

t.test('making and closing a request have audit lines without title and link', async (t) => {
  const sotto = testCommand(t)
  const run = (args: readonly string[], stdin?: string) => auditsOf(sotto, args, info, stdin)
  await run(['account', 'create', '--email', 'ann@example.org'])
  const folder = await run(['folder', 'create', ...account, '--label', 'Doors', '--json'])
  const { id: folderId } = JSON.parse(folder.stdout) as { id: string }
  const made = await run(
    ['request', 'create', ...account, '--folder', folderId, '--title', 'canary', '--json'],
    'canary',
  )
  const { id, url } = JSON.parse(made.stdout) as { id: string; url: string }
  t.match(made.audits, [{ event: 'request_created', request_id: id }])
  for (const hidden of ['canary', url.slice(-43)]) t.notMatch(made.stderr, hidden)
  const closed = await run(['request', 'close', ...account, id.toUpperCase()])
  t.match(closed.audits, [{ event: 'request_closed', request_id: id }])
})

t.test('without it, and above info, a command that succeeds prints nothing on standard error', async (t) => {
  const sotto = testCommand(t)
  for (const env of [{}, { SOTTO_LOG_LEVEL: 'warn' }, { SOTTO_LOG_LEVEL: 'silent' }]) {
    const email = `ann-${Object.values(env).join('')}@example.org`
    t.equal((await auditsOf(sotto, ['account', 'create', '--email', email], env)).stderr, '')
  }
})

t.test('what a command did not do has no audit line', async (t) => {
  const sotto = testCommand(t)
  await sotto.run(['account', 'create', '--email', 'ann@example.org'])
  const unknown = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'
  const { code, stderr } = await sotto.run(['token', 'revoke', ...account, unknown], { env: info })
  t.equal(code, 1)
  t.notMatch(stderr, 'audit')
})

/** Use-cases that commands call, that change something and write no line, each with the reason. */
const withoutLine: Readonly<Record<string, string>> = {
  dropCorruptedRows: 'its answer names each row, and nobody could read it any more',
  editDraft: 'it sets how often the link opens that the same command makes, which has a line',
  mailInvitation: 'it mails a link whose making has a line',
  retryDelivery: 'it changes when a message is sent',
  sweepExpired: 'it erases what has expired, as the server does every minute',
  sweepFiles: 'the same',
  testMail: 'it changes nothing',
  testWebhook: 'it changes nothing',
}

// Promise (Installing and operating): Whatever a command changes has an audit line, where a level is set
t.test('each use-case that a command calls reads, has an audit line, or has a reason to have none', (t) => {
  const sources = new URL('../src/', import.meta.url)
  const text = globSync('**/*-command{,s}.ts', { cwd: sources }).map((path) =>
    readFileSync(new URL(path, sources), 'utf8'),
  )
  const called = new Set(text.join('\n').match(/(?<=\bsotto\.)\w+(?=\()/g))
  t.ok(called.size > 30, 'they are found')
  const isRead = (name: string): boolean => /^(?:list|find|browse|get)[A-Z]|^keyStatus$/.test(name)
  const names = [...called].filter((name) => !isRead(name))
  const plain = Object.fromEntries(names.map((name) => [name, () => undefined])) as unknown as FullSotto
  const audited = auditSotto(plain, () => undefined)
  const silent = names.filter((name) => audited[name as keyof FullSotto] === plain[name as keyof FullSotto])
  t.same(silent.sort(), Object.keys(withoutLine).sort())
  t.end()
})
