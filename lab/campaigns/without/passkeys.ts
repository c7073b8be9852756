import { countedKinds, countedNames } from './common.ts'
import type { Leaf } from './leaf.ts'

/** The capability of signing in with passkeys. */
export const passkeys: Leaf = {
  word: 'passkeys',
  packages: [],
  files: [
    'packages/identity/test/passkeys.ts',
    'packages/server/test/browser/passkeys.test.ts',
    'packages/test-kit/test/broken/passkey-verifiers.ts',
  ],
  names: [
    "'passkey.name'",
    "'passkeys'",
    "'passkey'",
    "'passkey-challenge'",
    "'passkey-credential'",
    "'/login/passkey'",
    "'/settings/sign-in/passkeys'",
    "'/settings/sign-in/passkeys name'",
    "'/settings/sign-in/passkeys/:id/delete'",
    'reauthenticateWithPasskey',
  ],
  leftOut: [countedNames],
  edits: [
    {
      file: 'packages/storage-sql/src/authenticators.ts',
      from: 'yield* passkeysOf(dialect, account)',
      to: '[]',
      why: 'The authenticators of an owner are told by kind.',
    },
    {
      file: 'packages/storage-sql/src/single-sign-on/identities.ts',
      from: "${count('passkeys')} AS passkeys",
      to: '0 AS passkeys',
      why: 'A statement of SQL counts the rows of all tables.',
    },
    {
      file: 'packages/test-kit/src/storage/memory-authenticators.ts',
      from: 'passkeysOf(data, accountId).map(({ id, rpId }) => ({ id, rpId }))',
      to: '[]',
      why: 'The authenticators of an owner are told by kind.',
    },
    {
      file: 'packages/test-kit/src/accounts/account-rows.ts',
      from: `  const passkey = make.passkey(id, { name: under(make, kid) })
  const passkeyDigest = make.tokenDigest()
  expectOk(await store.passkeys.insert(passkey, passkeyDigest, 10), 'adding a passkey')
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/test-kit/src/sessions/session-insert.ts',
      from: `async function addPasskey(store: StorageUnderTest, make: Samples, accountId: Uuid): Promise<Uuid> {
  const passkey = make.passkey(accountId)
  expectOk(await store.passkeys.insert(passkey, make.tokenDigest(), 5), 'adding a passkey')
  return passkey.id
}
`,
      to: '',
      why: 'Only what lists name uses the function.',
    },
    ...countedKinds,
    {
      file: 'packages/test-kit/src/storage/history-contracts.ts',
      from: `/** The contract of the store of passkeys. With a passkey its sessions end, and what else an account has decides whether it may go. */
export const passkeyStoreContract = contract('passkey-store', passkeyCases, {
  store: 'passkeys',
  steps: passkeySteps,
  others: [
    ...[accountSteps.disable, accountSteps.release],
    ...[sessionSteps.insert, sessionSteps.insert, sessionSteps.insert, sessionSteps.page, sessionSteps.page],
    ...[invitationSteps.replace, invitationSteps.spend],
  ],
  prepare: addPasswords,
})

`,
      to: '',
      why: 'Each contract of histories is a constant.',
    },
    {
      file: 'packages/test-kit/src/accounts/account-erasure.ts',
      from: `      const passkey = await store.passkeys.insert(make.passkey(id), make.tokenDigest(), 10)
      expectErr(passkey, 'account_not_found')
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/storage/export-account.test.ts',
      from: `  await addPasskey(world)
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/single-sign-on/take-invitation.test.ts',
      from: `  await addPasskey(world)
  await addWebhook(world)
`,
      to: `  await addWebhook(world)
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/single-sign-on/take-invitation.test.ts',
      from: `  await addPasskey(world)
  const { token } = expectOk(await sotto.resetAccount({ email }))
`,
      to: `  const { token } = expectOk(await sotto.resetAccount({ email }))
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/single-sign-on/take-invitation.test.ts',
      from: `  await addPasskey(world)
  const { token } = expectOk(await sotto.inviteAccount({ email }))
`,
      to: `  const { token } = expectOk(await sotto.inviteAccount({ email }))
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/single-sign-on/take-invitation.test.ts',
      from: `  t.equal(shown.passkeys, 1)
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/single-sign-on/disconnect-identity.test.ts',
      from: `  await addPasskey(world)
  const shown = expectOk(await showAuthenticators(deps, { accountId }))
  t.match(shown, { hasPassword: true, passkeys: 1, identities: { items: [{ id }] } })
  t.match(expectOk(await world.sotto.listPasskeys({ accountId })).items, [
    { name: 'laptop', rpId: 'sotto.example' },
  ])
`,
      to: `  const shown = expectOk(await showAuthenticators(deps, { accountId }))
  t.match(shown, { hasPassword: true, identities: { items: [{ id }] } })
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/single-sign-on/release-account.test.ts',
      from: `  const { passkey } = await addPasskey(world)
  return { world, accountId, email, session, passkey }
`,
      to: `  return { world, accountId, email, session }
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/dashboard-fastify/test/support/paths.ts',
      from: `  readonly passkey: string
  /** What a form has of that passkey, and of another one that was made. */
  readonly used: string
  readonly made: string
`,
      to: '',
      why: 'Nothing tells what the form of a passkey is made of.',
    },
    {
      file: 'packages/dashboard-fastify/test/accounts/export-json.test.ts',
      from: `    passkeys: [],
`,
      to: '',
      why: 'The test compares a whole document.',
    },
    {
      file: 'packages/identity/test/storage/export-account.test.ts',
      from: `    { passkeys: failing(deps.passkeys, { list: busy }) },
`,
      to: '',
      why: 'An empty object is an element, too.',
    },
    {
      file: 'packages/server/test/fixtures/facts.ts',
      from: `    readonly passkey: {
`,
      to: `    readonly passkey?: {
`,
      why: 'The facts of earlier versions are files.',
    },
    {
      file: 'packages/dashboard-fastify/test/support/app.ts',
      from: `  const urls = [...registered]
`,
      to: `  const urls = [...registered].filter((url) => url !== '/settings/sign-in')
`,
      why: 'The page has nothing to show where nobody signs in at an identity provider.',
    },
  ],
}
