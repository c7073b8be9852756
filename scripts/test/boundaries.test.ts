import { ESLint } from 'eslint'
import { join } from 'node:path'
import t from 'tap'

// Whatever code these files hold, their places decide which rules apply.
const root = join(import.meta.dirname, '..', '..')
const eslint = new ESLint({ cwd: root, ruleFilter: ({ ruleId }) => ruleId.includes('no-restricted-') })

async function rulesBrokenBy(code: string, packageName: string) {
  const [result] = await eslint.lintText(code, {
    filePath: join(root, 'packages', packageName, 'src/index.ts'),
  })
  return result?.messages.map(({ ruleId, message }) => ruleId ?? message) ?? []
}

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
  t.test(`core may not say ${code}`, async (t) => {
    t.ok((await rulesBrokenBy(`export const x = ${code}`, 'core')).includes(rule))
  })
}

const imports: [packageName: string, imported: string, allowed: boolean][] = [
  ['core', 'neverthrow', true],
  ['core', './errors.ts', true],
  ['core', 'node:crypto', false],
  ['core', 'fast-check', false],
  ['core', '@sotto/test-kit', false],
  ['test-kit', '@sotto/core', true],
  ['test-kit', '@sotto/adapter-sqlite', false],
  ['adapter-sqlite', '@sotto/core', true],
  ['adapter-sqlite', '@sotto/core/src/errors.ts', false],
  ['adapter-sqlite', '../../core/src/errors.ts', false],
  ['adapter-sqlite', '@sotto/adapter-node-crypto', false],
  ['adapter-node-crypto', '@sotto/http-fastify', false],
  ['http-fastify', '@sotto/core', true],
  ['http-fastify', '@sotto/adapter-sqlite', false],
  ['http-fastify', '@sotto/test-kit', false],
  ['server', '@sotto/adapter-sqlite', true],
  ['server', '@sotto/test-kit', false],
]

for (const [packageName, imported, allowed] of imports) {
  t.test(`${packageName} ${allowed ? 'may' : 'may not'} import ${imported}`, async (t) => {
    const broken = await rulesBrokenBy(`import '${imported}'`, packageName)
    t.equal(broken.includes('@typescript-eslint/no-restricted-imports'), !allowed)
  })
}

t.test('core may compute with a given time', async (t) => {
  t.same(await rulesBrokenBy('export const day = new Date(0).toISOString()\n', 'core'), [])
})
