import { ESLint } from 'eslint'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

// Whatever code these files hold, their paths decide which rules apply.
const root = join(import.meta.dirname, '..', '..')
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ruleId.includes('no-restricted-'),
  // The rules of boundaries need no types.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
})

async function rulesBrokenBy(code: string, file: string) {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) })
  return result?.messages.map(({ ruleId, message }) => ruleId ?? message) ?? []
}

const core = 'packages/core/src/index.ts'

const impure = {
  'Date.now()': 'no-restricted-properties',
  "Date['now']()": 'no-restricted-properties',
  'Math.random()': 'no-restricted-properties',
  'new Date()': 'no-restricted-syntax',
  'Date()': 'no-restricted-syntax',
  "await import('node:fs')": 'no-restricted-syntax',
  'performance.now()': 'no-restricted-globals',
  'crypto.randomUUID()': 'no-restricted-globals',
  'process.env': 'no-restricted-globals',
  'globalThis.Date': 'no-restricted-globals',
  'setTimeout(() => 1, 1)': 'no-restricted-globals',
  'console.log(1)': 'no-restricted-globals',
}

for (const [code, rule] of Object.entries(impure)) {
  t.test(`core may not use ${code}`, async (t) => {
    t.ok((await rulesBrokenBy(`export const x = ${code}`, core)).includes(rule))
  })
}

t.test('core may compute with a given time', async (t) => {
  t.same(await rulesBrokenBy('export const day = new Date(0).toISOString()\n', core), [])
})

/** Sources of a package unless the key is a path. */
const imports: Readonly<
  Record<string, { readonly may: readonly string[]; readonly mayNot: readonly string[] }>
> = {
  core: {
    may: ['neverthrow', './errors.ts'],
    mayNot: [
      'node:crypto',
      'fast-check',
      '@sotto/test-kit',
      '@sotto/wire',
      '../../wire/src/index.ts',
      '../test/world.ts',
    ],
  },
  identity: {
    may: ['@sotto/core', '@sotto/core/building-blocks', 'neverthrow', './access-token.ts'],
    mayNot: ['node:fs', '@sotto/wire', '@sotto/test-kit', '../../core/src/shared/ids.ts'],
  },
  wire: {
    may: ['@sotto/core', 'typebox', 'typebox/value', 'neverthrow', './wire.ts'],
    mayNot: ['node:fs', 'fastify', '@sotto/http-fastify', '@sotto/system', '../../core/src/errors.ts'],
  },
  sealed: {
    may: ['./bytes.ts'],
    mayNot: ['@sotto/core', '@sotto/wire', 'node:crypto', 'http_ece', '../../core/src/errors.ts'],
  },
  'packages/html/browser/link.ts': {
    may: ['@sotto/sealed', './states.ts', '../src/size-text.ts'],
    mayNot: ['@sotto/core', '@sotto/wire', 'node:crypto'],
  },
  client: {
    may: ['./errors.ts', '@sotto/sealed'],
    mayNot: [
      '@sotto/wire',
      '@sotto/core',
      'node:fs',
      'typebox',
      '../../wire/src/index.ts',
      '../test/world.ts',
    ],
  },
  system: {
    may: ['@sotto/core', 'node:fs', './durable-file.ts'],
    mayNot: ['@sotto/wire', '@sotto/adapter-sqlite', '@sotto/test-kit'],
  },
  'test-kit': { may: ['@sotto/core', 'node:crypto'], mayNot: ['@sotto/adapter-sqlite', '@sotto/wire'] },
  'storage-sql': { may: ['@sotto/core', 'neverthrow'], mayNot: ['@sotto/system', '@sotto/adapter-sqlite'] },
  'adapter-sqlite': {
    may: ['@sotto/core', '@sotto/system', 'better-sqlite3', '../file/errors.ts'],
    mayNot: [
      '@sotto/core/src/errors.ts',
      '../../core/src/errors.ts',
      '../../../core/src/errors.ts',
      '../test/support/world.ts',
      '@sotto/adapter-node-crypto',
      '@sotto/test-kit',
    ],
  },
  'adapter-postgres': {
    may: ['@sotto/core', 'pg', 'node:timers/promises'],
    mayNot: ['@sotto/system', '@sotto/adapter-sqlite', '@sotto/core/building-blocks', '@sotto/test-kit'],
  },
  'adapter-node-crypto': {
    may: ['@sotto/core', '@sotto/system'],
    mayNot: ['@sotto/http-fastify', '@sotto/adapter-sqlite'],
  },
  'adapter-mail': {
    may: ['@sotto/core', 'nodemailer', 'node:net'],
    mayNot: ['@sotto/system', '@sotto/http-fastify', '@sotto/test-kit'],
  },
  'adapter-webhook': {
    may: ['@sotto/core', '@sotto/wire', 'ipaddr.js'],
    mayNot: ['@sotto/system', '@sotto/test-kit'],
  },
  'adapter-oidc': {
    may: ['@sotto/core', 'openid-client', 'jose'],
    mayNot: ['@sotto/system', '@sotto/test-kit', '@sotto/wire'],
  },
  texts: {
    may: ['@sotto/core', './en/link.ts'],
    mayNot: ['@sotto/html', 'node:fs', '@sotto/test-kit'],
  },
  html: {
    may: ['@sotto/core', '@sotto/texts', 'node:crypto', './html.ts'],
    mayNot: ['fastify', '@sotto/wire', '@sotto/http-fastify', '@sotto/test-kit'],
  },
  'http-fastify': {
    may: ['@sotto/core', '@sotto/wire', '@sotto/html', '@sotto/texts/link', 'fastify'],
    mayNot: [
      '@sotto/texts/dashboard',
      '@sotto/adapter-sqlite',
      '@sotto/system',
      '@sotto/test-kit',
      '@sotto/dashboard-fastify',
    ],
  },
  'dashboard-fastify': {
    may: ['@sotto/core', '@sotto/wire', '@sotto/html', '@sotto/http-fastify', '@sotto/http-fastify/plugin'],
    mayNot: ['@sotto/server', '@sotto/http-fastify/src/plugin.ts', '../../http-fastify/src/plugin.ts'],
  },
  server: {
    may: [
      '@sotto/core',
      '@sotto/wire',
      '@sotto/client',
      '@sotto/system',
      '@sotto/adapter-node-crypto',
      '@sotto/http-fastify',
      '@sotto/http-fastify/settings',
    ],
    mayNot: [
      '@sotto/adapter-sqlite',
      '@sotto/adapter-postgres',
      '@sotto/test-kit',
      '../../adapter-sqlite/src/index.ts',
    ],
  },
  'packages/server/src/installation/storage-driver.ts': {
    may: ['@sotto/core', '@sotto/adapter-sqlite', '@sotto/adapter-postgres'],
    mayNot: ['@sotto/test-kit', '../../adapter-sqlite/src/index.ts'],
  },
  'packages/server/src/storage/backup-commands.ts': {
    may: ['../storage.ts'],
    mayNot: ['@sotto/adapter-sqlite', '../../../adapter-sqlite/src/index.ts'],
  },
  'packages/identity/test/passkeys/add-passkey.test.ts': {
    may: ['@sotto/core', '@sotto/test-kit', '../world.ts', '../../../core/test/world.ts'],
    mayNot: ['../../../core/test/secrets/secret.test.ts', '../../../core/src/index.ts', '@sotto/wire'],
  },
  'packages/core/test/secrets/open-secret.test.ts': {
    may: ['@sotto/test-kit', '../world.ts', '../../src/use-cases/open-secret.ts', 'node:fs', 'fast-check'],
    mayNot: ['@sotto/wire', '@sotto/identity', '@sotto/adapter-sqlite', '../../../test-kit/src/expect.ts'],
  },
  'packages/adapter-sqlite/test/contract.test.ts': {
    may: ['@sotto/core', '@sotto/system', '@sotto/test-kit', '../src/index.ts', './support/open.ts'],
    mayNot: ['@sotto/adapter-node-crypto', '../../core/src/index.ts', '../../core/test/world.ts'],
  },
  'packages/adapter-postgres/test/contract.test.ts': {
    may: ['@sotto/core', '@sotto/system', '@sotto/test-kit', 'pg', '../src/index.ts'],
    mayNot: ['@sotto/adapter-node-crypto', '@sotto/adapter-sqlite', '../../core/test/world.ts'],
  },
  'packages/http-fastify/test/secrets/opening.test.ts': {
    may: ['@sotto/core', '@sotto/wire', '@sotto/test-kit', '../../src/link/link-routes.ts'],
    mayNot: ['@sotto/adapter-sqlite', '@sotto/server', '../../../core/test/world.ts'],
  },
  'packages/dashboard-fastify/test/secrets.test.ts': {
    may: ['@sotto/http-fastify', '@sotto/test-kit', '../../http-fastify/test/support/world.ts'],
    mayNot: [
      '@sotto/server',
      '../../http-fastify/test/secrets/passwords.test.ts',
      '../../http-fastify/src/index.ts',
    ],
  },
  'packages/client/test/client.test.ts': {
    may: [
      '@sotto/core',
      '@sotto/system',
      '@sotto/wire',
      '@sotto/http-fastify',
      '@sotto/test-kit',
      '../src/client.ts',
    ],
    mayNot: ['@sotto/server', '@sotto/adapter-sqlite', '../../http-fastify/src/index.ts'],
  },
  'packages/server/test/serving/server.test.ts': {
    may: ['@sotto/adapter-sqlite', '@sotto/test-kit', '../src/server.ts'],
    mayNot: [
      '../../adapter-sqlite/src/index.ts',
      '../../core/test/world.ts',
      '../../../lab/campaigns/support/place.ts',
    ],
  },
  'lab/campaigns/crash/campaign.ts': {
    may: [
      '@sotto/core',
      '@sotto/server',
      'better-sqlite3',
      '../support/child.ts',
      '../../../packages/adapter-postgres/test/support/server.ts',
    ],
    mayNot: [
      '../../../packages/server/src/index.ts',
      '../../../packages/server/src/installation/installation.ts',
      '../../../packages/core/test/world.ts',
    ],
  },
  'scripts/check.mjs': {
    may: ['./child.mjs', 'node:fs'],
    mayNot: ['../packages/server/src/main.ts', '../lab/run.ts'],
  },
}

for (const [importer, { may, mayNot }] of Object.entries(imports)) {
  const file = importer.includes('/') ? importer : `packages/${importer}/src/index.ts`
  for (const imported of [...may, ...mayNot]) {
    const allowed = may.includes(imported)
    t.test(`${importer} ${allowed ? 'may' : 'may not'} import ${imported}`, async (t) => {
      const broken = await rulesBrokenBy(`import '${imported}'`, file)
      t.equal(broken.includes('@typescript-eslint/no-restricted-imports'), !allowed)
    })
  }
}

t.test('what an application without identity takes may import types of it only', async (t) => {
  for (const name of ['wire', 'storage-sql', 'adapter-sqlite', 'adapter-postgres', 'adapter-node-crypto']) {
    const file = `packages/${name}/src/index.ts`
    t.same(await rulesBrokenBy("import type { Session } from '@sotto/identity'", file), [], name)
    const broken = await rulesBrokenBy("import '@sotto/identity'", file)
    t.ok(broken.includes('@typescript-eslint/no-restricted-imports'), name)
  }
})

t.test('client may import types of wire only', async (t) => {
  const file = 'packages/client/src/index.ts'
  t.same(await rulesBrokenBy("import type { WireFolder } from '@sotto/wire'", file), [])
  for (const other of ['@sotto/core', '@sotto/http-fastify']) {
    t.not((await rulesBrokenBy(`import type { Sotto } from '${other}'`, file)).length, 0, other)
  }
})

t.test('every package has its boundaries', (t) => {
  for (const name of readdirSync(join(root, 'packages'))) t.ok(name in imports, name)
  t.end()
})
