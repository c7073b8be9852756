import { createFakePasskey, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { origin, password, unescaped } from '../support/app.ts'
import { ada, startSso, tokenOf } from '../support/sso.ts'

const signIn = { passwords: true, allowed: [{ kind: 'group', name: 'staff' }] } as const
const held = /signs in at its identity provider only/

// Promise (Single sign-on): Whoever was let in by the provider signs in by the provider
t.test(
  'the owner of a held account gets no session with a password or passkey, and is told why',
  async (t) => {
    const { sotto, post, get, signInWith, logLines, signIn: withPassword } = await startSso(t, { signIn })
    t.ok(tokenOf(await signInWith()))
    const { id: accountId } = expectOk(await sotto.findAccount({ email: 'ada@example.org' }))
    const { token } = expectOk(await sotto.resetAccount({ email: 'ada@example.org' }))
    t.match((await get(`/welcome/${token}`)).body, 'does not sign you in')
    const as = { token: tokenOf(await post(`/welcome/${token}`, { password })) ?? '' }
    const page = (await get('/settings/sign-in', { as })).body
    t.match(page, 'does not sign you in')
    const passkey = createFakePasskey('a phone')
    const asked = (body: string, attribute: string) =>
      (
        JSON.parse(unescaped(new RegExp(` ${attribute}="([^"]*)"`).exec(body)?.[1] ?? '{}')) as {
          challenge: string
        }
      ).challenge
    const ceremony = { rpId: 'localhost', origin }
    const made = passkey.made({ ...ceremony, challenge: asked(page, 'data-new-passkey') })
    const text = [made.credentialId, made.clientData, made.authenticatorData].join('.')
    t.equal((await post('/settings/sign-in/passkeys', { name: 'Phone', made: text }, { as })).statusCode, 303)

    const userHandle = Buffer.from(accountId).toString('base64url')
    const challenge = asked((await get('/login')).body, 'data-passkey')
    const used = passkey.used({ ...ceremony, challenge, userHandle })
    const assertion = [
      used.credentialId,
      used.clientData,
      used.authenticatorData,
      used.signature,
      userHandle,
    ].join('.')
    for (const answer of [
      await withPassword({ email: 'ada@example.org', password }),
      await post('/login/passkey', { passkey: assertion }),
    ]) {
      t.match(answer, { statusCode: 403, body: held })
      t.equal(tokenOf(answer), undefined)
    }
    t.equal(
      (await withPassword({ email: 'ada@example.org', password: 'another fine passphrase' })).statusCode,
      401,
    )
    const lines = logLines.filter((line) => line.includes('"event":"sign_in_held"'))
    t.strictSame(
      lines.map((line) => (JSON.parse(line) as { account_id: string }).account_id),
      [accountId, accountId],
    )
  },
)

// Promise (Single sign-on): Whoever is refused does not get back in: by a reset, a passkey, or another identity
t.test('whoever is refused gets no reset by mail, and is refused with another identity, too', async (t) => {
  const { sotto, post, get, signInWith, comeBack, memory } = await startSso(t, { signIn })
  const as = { token: tokenOf(await signInWith()) ?? '' }
  const begun = await post('/settings/sign-in/connect', {}, { as })
  const other = { ...ada, subject: 'ada at home' }
  t.equal((await comeBack(begun, other, as)).headers.location, '/settings/sign-in?done=identityConnected')
  t.ok(tokenOf(await signInWith(other)))
  t.equal((await signInWith({ ...other, groups: [] })).statusCode, 403)
  t.equal((await get('/dashboard', { as })).statusCode, 303, 'all sessions have ended')
  t.equal((await post('/login/reset', { email: 'ada@example.org' })).statusCode, 303)
  t.strictSame(memory.mailSender.attempts, [])
  const { id: accountId } = expectOk(await sotto.findAccount({ email: 'ada@example.org' }))
  expectOk(await sotto.releaseAccount({ accountId }))
  t.ok(tokenOf(await signInWith({ ...other, groups: [] })), 'once it is released')
})

t.test(
  'the identity of a held account cannot be disconnected, nor one beside a passkey of another host',
  async (t) => {
    const { post, signInWith, makeConnected, memory, sotto } = await startSso(t, { signIn })
    const disconnect = async (as: { readonly token: string }, accountId: string) => {
      const [identity] = expectOk(await sotto.listIdentities({ accountId })).items
      return post(`/settings/sign-in/identities/${identity?.id ?? ''}/disconnect`, {}, { as })
    }
    const as = { token: tokenOf(await signInWith()) ?? '' }
    const { id } = expectOk(await sotto.findAccount({ email: 'ada@example.org' }))
    t.equal((await disconnect(as, id)).statusCode, 409)

    const owner = await makeConnected({ ...ada, subject: 'bob' })
    const [row] = [...memory.data.passwords.values()]
    memory.data.passwords.clear()
    const passkey = {
      id: owner.sessionId,
      accountId: owner.accountId,
      name: row!.hash,
      rpId: 'moved.example',
    }
    const times = { createdAtMicros: 0, lastUsedAtMicros: undefined }
    const key = { credentialId: new Uint8Array(32), publicKey: new Uint8Array(91), algorithm: -7, counter: 0 }
    const insert = (rpId: string, at: number) =>
      memory.passkeys.insert(
        { ...passkey, ...times, ...key, rpId, id: `${passkey.id}${at}` },
        new Uint8Array(32).fill(at),
        10,
      )
    expectOk(await insert('moved.example', 1))
    t.equal((await disconnect(owner, owner.accountId)).statusCode, 409)
    expectOk(await insert('localhost', 2))
    t.equal((await disconnect(owner, owner.accountId)).statusCode, 303)
  },
)
