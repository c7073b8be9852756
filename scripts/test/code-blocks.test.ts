import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { blocksOf, documents, root, text, type Block } from './support/documents.ts'
import { typeErrors } from './support/type-check.ts'

// Every block of code in a document is run or checked. The commands in them, and the settings, are compared with the program in
// packages/server/test/commands-in-documents.test.ts.

/** The blocks of a language in a document: how many, and the test that runs or compares them, or the reason why none does. */
type Row = readonly [
  place: string,
  count: number,
  by: { readonly test: string } | { readonly reason: string },
]

const test = (path: string) => ({ test: path })
const inServer = (name: string) => test(`packages/server/test/${name}.test.ts`)
const guide = test('packages/test-kit/test/guide.test.ts')

const rows: readonly Row[] = [
  ['ARCHITECTURE.md text', 2, { reason: 'drawings' }],
  ['README.md sh', 4, inServer('readme')],
  ['README.md text', 1, inServer('readme')],
  ['README.md json', 1, inServer('readme')],
  ['README.md ts', 3, inServer('readme')],
  ['lab/README.md sh', 1, test('lab/test/run.test.ts')],
  ['lab/performance.md sh', 1, { reason: 'takes minutes of a quiet machine' }],
  ['lab/bench/peers/README.md sh', 3, { reason: 'needs the other services: test/bench/peers has fakes' }],
  ['docs/configuration.md ini', 1, inServer('commands-in-documents')],
  ['docs/embed.md ts', 2, inServer('embed-document')],
  ['docs/encryption.md js', 1, test('packages/sealed/test/encryption-document.test.ts')],
  ['docs/encryption.md json', 1, { reason: 'a key file without its key' }],
  ['docs/first-steps.md sh', 10, inServer('first-steps-document')],
  ['docs/first-steps.md json', 3, inServer('first-steps-document')],
  [
    'docs/install.md sh',
    10,
    { reason: 'needs root, a container or a cluster: test/deploy has its parts, and runs those of systemd' },
  ],
  ['docs/notifications.md ini', 1, inServer('commands-in-documents')],
  ['docs/notifications.md sh', 2, { reason: 'needs ids that exist, and a receiver' }],
  ['docs/accounts.md console', 3, inServer('operating')],
  ['docs/backup.md console', 2, inServer('operating')],
  ['docs/backup.md cron', 1, inServer('deploy/snippets')],
  ['docs/backup.md sh', 1, inServer('deploy/snippets')],
  ['docs/keys.md console', 2, inServer('operating')],
  ['docs/troubleshooting.md console', 1, inServer('operating')],
  [
    'docs/troubleshooting.md text',
    1,
    { reason: 'no command corrupts a row: test/storage/damage-commands has the commands' },
  ],
  [
    'docs/postgresql.md sql',
    1,
    { reason: 'creates a role, which the tests do not need: their server trusts everybody' },
  ],
  ['docs/monitoring.md yaml', 1, { reason: 'a part of the settings of Prometheus' }],
  ['docs/monitoring.md json', 1, { reason: 'a line of the log: test/request-log checks its fields' }],
  ['docs/troubleshooting.md json', 1, { reason: 'a line of the log: test/watchdog checks its fields' }],
  ['docs/postgresql.md without a language', 1, { reason: 'a command: test/storage/move-command runs it' }],
  ['docs/proxy.md caddy', 1, inServer('deploy/reverse-proxy')],
  ['docs/proxy.md nginx', 1, inServer('deploy/reverse-proxy')],
  [
    'docs/scaling.md sh',
    1,
    { reason: 'servers that run until they are ended: system/postgres-proxy starts them' },
  ],
  ['docs/scaling.md nginx', 2, inServer('system/postgres-proxy')],
  ['docs/send.md sh', 9, inServer('send-document')],
  ['docs/send.md text', 4, inServer('send-document')],
  ['docs/sign-in.md sh', 2, { reason: 'settings of a provider that nobody else has' }],
  ['docs/upgrade.md sh', 4, inServer('deploy/install')],
  ['docs/write-an-adapter.md ts', 4, guide],
  ['docs/write-an-adapter.md sh', 1, guide],
  ['docs/write-an-adapter.md text', 3, guide],
  ['examples/README.md sh', 2, test('scripts/check-examples.mjs')],
  ['packages/adapter-mail/README.md ts', 1, test('packages/adapter-mail/test/readme.test.ts')],
  ['packages/adapter-node-crypto/README.md ts', 1, inServer('package-readmes')],
  ['packages/adapter-sqlite/README.md ts', 1, inServer('package-readmes')],
  ['packages/adapter-oidc/README.md ts', 1, test('packages/adapter-oidc/test/readme.test.ts')],
  ['packages/adapter-webhook/README.md ts', 1, test('packages/adapter-webhook/test/readme.test.ts')],
  ['packages/adapter-webhook/README.md js', 1, test('packages/adapter-webhook/test/readme.test.ts')],
  ['packages/adapter-webhook/README.md json', 1, test('packages/adapter-webhook/test/readme.test.ts')],
  ['packages/client/README.md ts', 1, inServer('package-readmes')],
  ['packages/core/README.md ts', 2, inServer('package-readmes')],
  ['packages/dashboard-fastify/README.md ts', 1, inServer('package-readmes')],
  ['packages/http-fastify/README.md ts', 1, inServer('package-readmes')],
  ['packages/identity/README.md ts', 1, inServer('package-readmes')],
  ['packages/server/README.md sh', 1, { reason: 'an overview of commands' }],
  ['packages/server/README.md ts', 1, inServer('package-readmes')],
  ['packages/system/README.md ts', 1, test('packages/system/test/readme.test.ts')],
  ['packages/test-kit/README.md ts', 3, test('packages/test-kit/test/readme.test.ts')],
]

const blocks = documents.flatMap(blocksOf)
const placeOf = ({ document, language }: Block) => `${document} ${language || 'without a language'}`

/** Files that other tests run, and that a document shows to the letter. */
const files = globSync(['examples/*/*.ts', 'packages/test-kit/test/readme/*.ts'], { cwd: root }).map(text)

t.test('every block of code is in the list, with its test or the reason why it has none', async (t) => {
  const found = Object.groupBy(blocks, placeOf)
  for (const [place, { length = 0 } = []] of Object.entries(found)) {
    const [, count] = rows.find(([name]) => name === place) ?? []
    t.equal(length, count, `${place}: give a new block a test, and change the list`)
  }
  for (const [place] of rows) t.ok(found[place], `${place}: there is none any more`)
})

t.test('every test in the list exists and reads the document', async (t) => {
  for (const [place, , by] of rows) {
    if ('reason' in by) continue
    const [document = ''] = place.split(' ')
    t.ok(existsSync(join(root, by.test)), by.test)
    t.ok(text(by.test).includes(basename(document)), `${by.test} reads ${document}`)
  }
})

t.test('every example in TypeScript compiles, or is a file that does, to the letter', async (t) => {
  const examples = of('ts').filter(({ code }) => !files.includes(code))
  t.ok(examples.length >= 10)
  const texts = examples.map(({ document, code }, index): [string, string] => [
    `${document.replaceAll(/\W/g, '-')}-${index}`,
    code,
  ])
  t.strictSame(typeErrors(Object.fromEntries(texts)), [])
})

t.test('an example that does not compile is noticed', async (t) => {
  t.match(typeErrors({ wrong: "import { createSotto } from '@sotto/core'\ncreateSotto({ port: 1 })" }), [
    /^wrong\.ts: .*'port' does not exist/,
  ])
})

t.test('every JSON text is valid', async (t) => {
  for (const { document, code } of of('json')) t.doesNotThrow(() => void JSON.parse(code), document)
})

t.test('every script is one that bash can read, also when it is pasted as a whole', async (t) => {
  for (const { document, code } of of('sh')) {
    const { stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' })
    t.equal(stderr, '', document)
  }
})

function of(language: string): readonly Block[] {
  return blocks.filter((block) => block.language === language)
}
