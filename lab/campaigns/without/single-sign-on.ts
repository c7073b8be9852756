import { countedKinds, countedNames } from './common.ts'
import type { Leaf } from './leaf.ts'

/** The capability of signing in with an identity of an OpenID provider. */
export const singleSignOn: Leaf = {
  word: 'single-sign-on',
  packages: ['adapter-oidc'],
  files: [
    'packages/dashboard-fastify/test/support/sso.ts',
    'packages/identity/src/authenticators/identity.ts',
    'packages/server/src/config/sso-files.ts',
    'packages/server/src/config/sso-settings.ts',
    'packages/server/src/installation/identity-provider.ts',
    'packages/test-kit/test/broken/identities.ts',
    'packages/test-kit/test/broken/identity-providers.ts',
  ],
  names: ["'identity.name'", "'identities'"],
  leftOut: [
    countedNames,
    {
      file: 'packages/identity/test/errors.test.ts',
      why: 'It asks for each error by which use-case it is returned, and for some of identity that is single sign-on alone.',
    },
  ],
  edits: [
    {
      file: 'packages/identity/src/authenticators/account-authenticators.ts',
      from: `    const { identities, passkeys, ...others } = found.value
    return showRows(identities, (each) => showIdentity(textCipher, each)).map(
      (page): ShownAuthenticators => ({ ...others, passkeys: passkeys.length, identities: page }),
    )
`,
      to: `    return found.map(
      ({ passkeys, ...others }): ShownAuthenticators => ({ ...others, passkeys: passkeys.length }),
    )
`,
      why: 'Of the authenticators only identities are decrypted.',
    },
    {
      file: 'packages/identity/src/authenticators/is-enough.ts',
      from: `  const issuers = identities
    .map((stored) => showIdentity(textCipher, stored))
    .flatMap((shown: Result<Identity, unknown>) => (shown.isOk() ? [shown.value.issuer] : []))
`,
      to: '  const issuers: string[] = []\n',
      why: 'The rule of what is enough is about all authenticators together.',
    },
    {
      file: 'packages/test-kit/src/accounts/account-rows.ts',
      from: `  const identity = make.identity(id, { name: under(make, kid) })
  const identityIndex = make.nameIndex()
  expectOk(await store.identities.insert(identity, [identityIndex], 5), 'adding an identity')
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/test-kit/src/sessions/session-insert.ts',
      from: `async function addIdentity(store: StorageUnderTest, make: Samples, accountId: Uuid): Promise<Uuid> {
  const identity = make.identity(accountId)
  expectOk(await store.identities.insert(identity, [make.nameIndex()], 5), 'adding an identity')
  return identity.id
}
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/dashboard-fastify/src/dashboard-routes.ts',
      from: ', singleSignOn && longCallbacks',
      to: '',
      why: 'One path of all may be longer than the others.',
    },
    {
      file: 'packages/dashboard-fastify/src/dashboard-routes.ts',
      from: `  const sso = singleSignOn && authenticate === undefined ? createSso(sotto, baseUrl, singleSignOn) : undefined
`,
      to: '',
      why: 'What sends browsers to the provider is made once, for the routes and for the proofs.',
    },
    {
      file: 'packages/dashboard-fastify/src/dashboard-routes.ts',
      from: `    const shown = singleSignOn && shownSingleSignOn(singleSignOn, sotto.policy)
`,
      to: '',
      why: 'What the pages show of the provider is read once.',
    },
    {
      file: 'packages/dashboard-fastify/src/routes.ts',
      from: `  readonly sso: Sso | undefined
`,
      to: '',
      why: 'What sends browsers to the provider is made once, for the routes and for the proofs.',
    },
    {
      file: 'packages/dashboard-fastify/test/support/app.ts',
      from: `  /** How the pages call the identity provider in memory, which is there with it. */
  readonly singleSignOn?: string
`,
      to: '',
      why: 'The type of how the pages are set up names no type of the capability.',
    },
    {
      file: 'packages/dashboard-fastify/test/support/app.ts',
      from: `  const { textCipher, clock, identityProvider } = memory
  const { issuer } = identityProvider
  const label = options.singleSignOn
  const singleSignOn = label === undefined ? undefined : { label, issuer, textCipher, clock }
`,
      to: '',
      why: 'The pages are set up step by step.',
    },
    {
      file: 'packages/dashboard-fastify/src/invitations/invitation-page.ts',
      from: `
    \${isHeld && markup\`<p>\${localized.texts.singleSignOn.held}</p>\`}`,
      to: '',
      why: 'A page is a text from top to bottom.',
    },
    {
      file: 'packages/dashboard-fastify/src/invitations/invitation-page.ts',
      from: `
    \${
      localized.singleSignOn &&
      markup\`<form class="after" method="post" action="\${keepingLanguage(localized, \`\${path}/sso\`)}">
      <button type="submit" class="secondary">\${labelled(localized, localized.texts.singleSignOn.insteadOfPassword)}</button>
    </form>\`
    }`,
      to: '',
      why: 'A page is a text from top to bottom.',
    },
    {
      file: 'packages/dashboard-fastify/src/sign-in/login.ts',
      from: `import { ssoNotice } from '../single-sign-on/sso.ts'
`,
      to: `import { statusAnswer } from '../shared/errors.ts'
`,
      why: 'The owner of a held account is sent to the identity provider.',
    },
    {
      file: 'packages/dashboard-fastify/src/sign-in/login.ts',
      from: 'ssoNotice(visit, code, 403)',
      to: 'statusAnswer(visit.localized, 403)',
      why: 'The owner of a held account is sent to the identity provider.',
    },
    {
      file: 'packages/server/src/serving/server.ts',
      from: `  const { policy } = sotto
  const { textCipher, clock } = ports
  const { label, issuer } = settings.singleSignOn ?? {}
  const singleSignOn = label && issuer ? { label, issuer, textCipher, clock, policy } : undefined
`,
      to: '',
      why: 'What the pages show of the provider is read once.',
    },
    {
      file: 'packages/server/src/config/settings.ts',
      from: `  const ssoFiles = readSsoFiles(values, cwd)
`,
      to: '',
      why: 'What files hold is read before the settings are.',
    },
    {
      file: 'packages/server/src/config/settings.ts',
      from: 'logo.isErr() || ssoFiles.isErr() || errors',
      to: 'logo.isErr() || errors',
      why: 'What files hold is read before the settings are.',
    },
    {
      file: 'packages/server/src/config/settings.ts',
      from: 'allowed: decoded.SOTTO_OIDC_ALLOW',
      to: 'allowed: []',
      why: 'The rule of how people sign in is about all authenticators together.',
    },
    {
      file: 'packages/dashboard-fastify/test/accounts/export-json.test.ts',
      from: '    identities: [],\n',
      to: '',
      why: 'The test compares a whole document.',
    },
    {
      file: 'packages/identity/test/storage/corrupted-rows.test.ts',
      from: 'identities: { items: [] }, ',
      to: '',
      why: 'The test compares a part of an object.',
    },
    ...countedKinds,
    {
      file: 'packages/test-kit/src/storage/history-contracts.ts',
      from: `/** The contract of the store of identities. Who signs in with one ends sessions, and may take a one-time link. */
export const identityStoreContract = contract('identity-store', identityCases, {
  store: 'identities',
  steps: identitySteps,
  others: [
    ...[accountSteps.disable, accountSteps.release, accountSteps.findByName, accountSteps.rename],
    ...[beginStep, beginStep, beginStep, beginStep, takeStep, takeStep, takeStep, takeStep],
    ...[sessionSteps.insert, sessionSteps.page, sessionSteps.page, sessionSteps.findByDigest],
    ...[invitationSteps.replace, invitationSteps.spend, invitationSteps.spend, invitationSteps.find],
    ...[identitySteps.erase, identitySteps.refusedWithAccess, identitySteps.refusedWithAccess],
    ...[passwordSteps.find, passwordSteps.authenticators],
    ...[passkeySteps.insert, passkeySteps.list, accessTokenSteps.insert],
  ],
  // The other account has an identity or a passkey alone, or nothing.
  prepare: (storage) => addPasswords(storage, [bob]),
})

`,
      to: '',
      why: 'Each contract of histories is a constant.',
    },
  ],
}
