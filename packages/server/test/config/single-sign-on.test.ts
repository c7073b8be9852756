import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { issuerError } from '@sotto/adapter-oidc'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { isIssuer } from '../../src/config/sso-settings.ts'
import { readSettings } from '../../src/config/settings.ts'

const needed = { SOTTO_OIDC_ISSUER: 'https://login.example/realms/a', SOTTO_OIDC_CLIENT_ID: 'sotto' }
const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

function folder(t: Test) {
  const cwd = t.testdir({ secret: 'hush\n', 'ca.pem': certificate })
  chmodSync(join(cwd, 'secret'), 0o600)
  return {
    cwd,
    read: (env: NodeJS.ProcessEnv) => readSettings({ ...needed, ...env }, cwd),
    errors(env: NodeJS.ProcessEnv) {
      const read = readSettings(env, cwd)
      return read.isErr() ? read.error.errors : []
    },
  }
}

t.test('an issuer and a client are enough', async (t) => {
  const { read } = folder(t)
  t.strictSame(expectOk(read({})).singleSignOn, {
    issuer: 'https://login.example/realms/a',
    clientId: 'sotto',
    label: 'login.example',
    scopes: 'openid email profile',
    groupsClaim: 'groups',
    clientSecret: undefined,
    ca: undefined,
  })
})

t.test('settings that do not fit together are refused', async (t) => {
  const { errors } = folder(t)
  const { SOTTO_OIDC_ISSUER, SOTTO_OIDC_CLIENT_ID } = needed
  t.match(errors({ SOTTO_OIDC_ISSUER }), [/SOTTO_OIDC_ISSUER needs SOTTO_OIDC_CLIENT_ID/])
  t.match(errors({ SOTTO_OIDC_CLIENT_ID }), [/SOTTO_OIDC_CLIENT_ID needs SOTTO_OIDC_ISSUER/])
  t.match(errors({ SOTTO_PASSWORD_SIGN_IN: 'false' }), [
    /SOTTO_PASSWORD_SIGN_IN=false needs SOTTO_OIDC_ISSUER/,
  ])
})

t.test('a file that others can read, that is missing, or holds something else is refused', async (t) => {
  const { cwd, errors } = folder(t)
  const secretFile = (name: string) => errors({ ...needed, SOTTO_OIDC_CLIENT_SECRET_FILE: name })
  chmodSync(join(cwd, 'secret'), 0o640)
  t.match(secretFile('secret'), [/SOTTO_OIDC_CLIENT_SECRET_FILE names can be read or changed by other users/])
  chmodSync(join(cwd, 'secret'), 0o600)
  t.same(secretFile('secret'), [])
  t.match(secretFile('none'), [/cannot be read \(ENOENT\)/])
  for (const text of ['', '\n', 'a\nb', 'a\n\n']) {
    writeFileSync(join(cwd, 'secret'), text)
    t.match(secretFile('secret'), [/must hold the secret on one line/])
  }
  t.match(errors({ ...needed, SOTTO_OIDC_CA_FILE: 'secret' }), [/must hold certificates in PEM/])
})

t.test('an issuer is accepted here exactly if the adapter accepts it', (t) => {
  const scheme = ['https://', 'http://', 'ftp://', '']
  const hosts = [
    'a.example',
    'localhost',
    '127.0.0.1',
    '127.9.9.9',
    '[::1]',
    '10.0.0.1',
    'u:p@a.example',
    'localhost.a',
  ]
  for (const start of scheme)
    for (const host of hosts)
      for (const end of ['', '/', '/realms/a', ':8443/b', '?x', '#', '/a?b=c']) {
        const issuer = start + host + end
        t.equal(isIssuer(issuer), issuerError(issuer) === undefined, issuer)
      }
  t.end()
})
