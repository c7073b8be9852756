import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { addOwner, addSecret } from '../support/installation.ts'
import { startMeasuredServer } from '../support/metrics.ts'

const directory = join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'fail2ban')
const filterFile = join(directory, 'filter.d', 'sotto.conf')
const hasFail2ban = spawnSync('fail2ban-regex', ['--version']).status === 0
const needsFail2ban = hasFail2ban ? {} : { skip: 'fail2ban-regex is not installed' }

/** The expression of the filter as one of JavaScript, as fail2ban would apply it to a line without its time. */
function failRegex(): RegExp {
  const [, text = ''] = /^failregex = (.*)$/m.exec(readFileSync(filterFile, 'utf8')) ?? []
  return new RegExp(text.replace('<ADDR>', String.raw`(?<address>[0-9.]+|[0-9a-f:]+)`))
}

/** The addresses that the filter bans, by its own expression. */
const bannedIn = (lines: readonly string[]): (string | undefined)[] =>
  lines.map((line) => failRegex().exec(line)?.groups?.['address']).filter((address) => address !== undefined)

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  body: new URLSearchParams(fields),
})

/** The log of a server at which somebody has guessed everything that can be guessed, and somebody else has done all of it right. */
async function guessedAt(t: Test, env: NodeJS.ProcessEnv = {}) {
  const server = await startMeasuredServer(t, {
    env: { SOTTO_LOG_ADDRESSES: 'true', SOTTO_TRUST_PROXY: '127.0.0.1', ...env },
  })
  const { installation, origin, log } = server
  const owner = await addOwner(installation)
  const { token: invitation } = expectOk(await installation.sotto.inviteAccount({ email: 'bob@example.org' }))
  const password = 'a correct horse in the stable'
  const secret = await addSecret(installation, owner, { password: 'right' })
  const open = `${origin}/${secret.link.token}`
  const from = (address: string, more: RequestInit = {}) => ({
    ...more,
    headers: { ...(more.headers as object), 'x-forwarded-for': address },
  })
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const guesses = [
    await fetch(
      `${origin}/login`,
      from('198.51.100.1', form({ email: 'ann@example.org', password: 'wrong', next: '' })),
    ),
    await fetch(`${origin}/api/folders`, from('198.51.100.2', bearer('wrong'))),
    await fetch(open, from('2001:db8::3', form({ password: 'wrong' }))),
    // As some proxies write them.
    ...(await Promise.all(
      ['198.51.100.4:5678', '[2001:DB8::5]:443', '::ffff:198.51.100.6', 'fe80::7%eth0'].map(async (address) =>
        fetch(`${origin}/api/folders`, from(address, bearer('wrong'))),
      ),
    )),
    await fetch(`${origin}/api/folders`, from('unknown', bearer('wrong'))),
  ]
  const right = [
    await fetch(`${origin}/api/folders`, from('203.0.113.1', bearer(owner.token))),
    await fetch(open, from('203.0.113.2', form({ password: 'right' }))),
    await fetch(`${origin}/api/folders`, from('203.0.113.3')),
    await fetch(
      `${origin}/no-such-link`,
      from('203.0.113.4', { headers: { 'user-agent': '"address":"192.0.2.9"' } }),
    ),
  ]
  right.push(
    await fetch(`${origin}/welcome/${invitation}`, from('203.0.113.5', form({ password }))),
    await fetch(
      `${origin}/login`,
      from('203.0.113.6', form({ email: 'bob@example.org', password, next: '' })),
    ),
  )
  t.same(
    [...guesses, ...right].map(({ status }) => status),
    [...guesses.map(() => 401), 200, 200, 401, 404, 303, 303],
  )
  return log.join('').trimEnd().split('\n')
}

/** All but the one whose address the proxy did not know. */
const guessers = [
  '198.51.100.1',
  '198.51.100.2',
  '2001:db8::3',
  '198.51.100.4',
  '2001:db8::5',
  '198.51.100.6',
  'fe80::7',
]

// Promise (Installing and operating): The filter for fail2ban finds addresses that guess
t.test('the filter’s expression, applied here, finds those who guess and nobody else', async (t) => {
  t.same(bannedIn(await guessedAt(t)).toSorted(), guessers.toSorted())
})

t.test('without addresses in the log the filter finds nobody', async (t) => {
  t.same(bannedIn(await guessedAt(t, { SOTTO_LOG_ADDRESSES: 'false' })), [])
})

t.test('fail2ban itself finds those who guess and nobody else', needsFail2ban, async (t) => {
  const lines = await guessedAt(t)
  const file = join(t.testdir(), 'sotto.log')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const { stdout } = spawnSync('fail2ban-regex', ['--print-all-matched', file, filterFile], {
    encoding: 'utf8',
  })
  t.match(stdout, new RegExp(`Lines: ${lines.length} lines, 0 ignored, ${guessers.length} matched`))
  t.match(stdout, `[${lines.filter((line) => line.includes('"time"')).length}] "time"`, 'it reads the times')
  for (const address of guessers) t.match(stdout, `"address":"${address}"`)
})

t.test('the jail uses the filter', async (t) => {
  const jail = readFileSync(join(directory, 'jail.d', 'sotto.conf'), 'utf8')
  t.match(jail, /^\[sotto\]$/m)
  t.match(jail, /^filter +=\s+sotto$/m)
})
