import { createFullSotto } from '@sotto/identity'
import { createMemoryIdentityProvider, expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { openIn } from '../support/installation.ts'

const ann = ['--account', 'ann@example.org']
const issuer = 'https://login.example'

const group = { kind: 'group', name: 'staff' } as const

/** An account that was made for somebody at the provider. */
async function installedHeld(t: Test) {
  const command = testCommand(t)
  t.strictSame(await command.json(['account', 'list']), [])
  const { ports, settings, close } = await openIn(command.cwd)
  const identityProvider = createMemoryIdentityProvider({ issuer })
  const signIn = { passwords: true, allowed: [group] }
  const sotto = createFullSotto({
    ports: { ...ports, identityProvider },
    policy: { ...settings.policy, signIn },
  })
  const begun = expectOk(await sotto.beginSso({ redirectUri: 'https://sotto.example/', fresh: false }))
  const person = { subject: 'ann', email: 'ann@example.org', emailVerified: true, groups: ['staff'] }
  const callbackUrl = identityProvider.signIn(begun.url, person)
  const { pending } = begun
  const { accountId } = expectOk(
    await sotto.signInWithIdentity({ callbackUrl, pending, address: '192.0.2.1' }),
  )
  await close()
  return { ...command, accountId }
}

/** An account whose owner connected an identity, and has a session that was begun with it. */
async function installed(t: Test) {
  const command = testCommand(t)
  const { id: accountId } = await command.json<{ id: string }>([
    'account',
    'create',
    '--email',
    'ann@example.org',
  ])
  const { ports, close } = await openIn(command.cwd)
  const identityProvider = createMemoryIdentityProvider({ issuer })
  const sotto = createFullSotto({ ports: { ...ports, identityProvider } })
  const comeBack = async () => {
    const begun = expectOk(await sotto.beginSso({ redirectUri: 'https://sotto.example/', fresh: false }))
    return {
      callbackUrl: identityProvider.signIn(begun.url, { subject: 'a-subject' }),
      pending: begun.pending,
    }
  }
  const { id } = expectOk(await sotto.connectIdentity({ accountId, ...(await comeBack()) }))
  expectOk(await sotto.signInWithIdentity({ ...(await comeBack()), address: '192.0.2.1' }))
  await close()
  return { ...command, accountId, id }
}

t.test('the identities of an account are listed, without their subjects', async (t) => {
  const { run, json, id } = await installed(t)
  const listed = await json<Record<string, unknown>[]>(['account', 'identities', ...ann])
  t.match(listed, [{ id, issuer, origin: 'connected', created_at: /^2.*Z$/, last_used_at: /^2.*Z$/ }])
  t.strictSame(Object.keys(listed[0] ?? {}), ['id', 'issuer', 'origin', 'created_at', 'last_used_at'])
  const { stdout } = await run(['account', 'identities', ...ann])
  t.match(stdout, /^ID +LAST USED +ORIGIN +ISSUER\n.* connected +https:\/\/login\.example\n$/)
  t.notMatch(stdout + JSON.stringify(listed), /a-subject/)
})

// Promise (Single sign-on): The operator disconnects an identity; an unknown ID is exit 1
t.test('an identity is disconnected, with its sessions; another account’s is none', async (t) => {
  const { cwd, run, json, id, accountId } = await installed(t)
  await json(['account', 'create', '--email', 'bob@example.org'])
  const disconnect = (email: string, given = id) => run(['account', 'disconnect', '--account', email, given])
  const none = { code: 1, stdout: '', stderr: 'sotto: the account has no such identity\n' }
  t.match(await disconnect('bob@example.org'), none)
  t.match(await disconnect('ann@example.org', 'nonsense'), none)
  const done = await run(['account', 'disconnect', ...ann, id.toUpperCase(), '--json'])
  t.match(done, { code: 0, stdout: `{"id":"${id}","disconnected":true}\n`, stderr: '' })
  t.match(await disconnect('ann@example.org'), none)
  t.strictSame(await json(['account', 'identities', ...ann]), [])
  const { storage, close } = await openIn(cwd)
  t.strictSame(expectOk(await storage.sessions.page(accountId, undefined, 10)), [])
  await close()
})

t.test('an audit line names account and identity', async (t) => {
  const { run, id, accountId } = await installed(t)
  const env = { SOTTO_LOG_LEVEL: 'info' }
  const { stderr } = await run(['account', 'disconnect', ...ann, id], { env })
  t.match(JSON.parse(stderr), {
    audit: true,
    event: 'identity_disconnected',
    account_id: accountId,
    identity_id: id,
  })
})

// Promise (Single sign-on): The operator releases an account that was made for an identity
t.test('a held account is listed as such, a link for it warns, and it is released', async (t) => {
  const { run, json, accountId } = await installedHeld(t)
  const email = ['--email', 'ann@example.org']
  t.match(await json(['account', 'list']), [{ id: accountId, held: true }])
  t.match((await run(['account', 'list'])).stdout, /^ID .* STATE +FILES +EMAIL\n.* held +ann@example\.org\n$/)
  const warning = /The link signs in once, and its password does not afterwards: sotto account release/
  for (const kind of ['reset', 'invite'])
    t.match(await run(['account', kind, ...email]), { code: 0, stderr: warning })
  const env = { SOTTO_LOG_LEVEL: 'info' }
  const released = await run(['account', 'release', ...email], { env })
  t.match(released, { code: 0, stdout: `${accountId} is an ordinary account\n` })
  t.match(JSON.parse(released.stderr), { audit: true, event: 'account_released', account_id: accountId })
  t.match(await json(['account', 'release', ...email]), { id: accountId, held: false }, 'again')
  t.match(await json(['account', 'list']), [{ id: accountId, held: false }])
  t.match(await run(['account', 'reset', ...email]), { code: 0, stderr: '' })
  const none = { code: 1, stderr: 'sotto: there is no account with this email\n' }
  t.match(await run(['account', 'release', '--email', 'bob@example.org']), none)
})
