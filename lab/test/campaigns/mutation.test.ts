import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runInThisContext } from 'node:vm'
import { test } from 'tap'
import { runMutationCampaign } from '../../campaigns/mutation/campaign.ts'
import { instrument } from '../../campaigns/mutation/instrument.ts'
import { justified } from '../../campaigns/mutation/justified.ts'
import { unexplainedIn } from '../../campaigns/mutation/scores.ts'
import { dependentTests } from '../../campaigns/mutation/targets.ts'

const root = resolve(import.meta.dirname, '../../..')
const source = 'packages/core/src/secrets/opening.ts'

/** The mutants of the rule of opening that these tests do not notice. */
async function survivors(...tests: string[]): Promise<readonly string[]> {
  return unexplainedIn(await runMutationCampaign({ sources: [source], tests }))
}

test('the tests of the rule of opening notice every mutant of it', async (t) => {
  t.strictSame(await survivors('packages/core/test/secrets/opening.test.ts'), [])
})

test('mutants that no test notices are found, whether a test runs them or not', async (t) => {
  const found = await survivors('packages/core/test/secrets/create-secret.test.ts')
  t.ok(found.length > 50, `${found.length} survivors`)
})

test('an error that a test of one mutant leaves behind does not count against the next mutant', async (t) => {
  const outcomes = await runMutationCampaign({
    sources: ['packages/core/src/shared/language.ts'],
    tests: ['lab/test/campaigns/fixtures/late-error.ts'],
  })
  t.strictSame(
    outcomes.filter(({ became }) => became === 'survived').map(({ mutant }) => mutant.name),
    ['en', 'fr', 'es', 'ar', 'ja'].map((tag) => `\`'${tag}'\` → another string`),
  )
})

test('a test that reads what others have done is left out: it would fail without them', async (t) => {
  const contract = readFileSync(resolve(root, 'packages/adapter-sqlite/test/contract.test.ts'), 'utf8')
  for (const name of dependentTests) t.ok(contract.includes(`test('${name}'`), name)
  const outcomes = await runMutationCampaign({
    sources: ['packages/core/src/shared/language.ts'],
    tests: ['lab/test/campaigns/fixtures/dependent.ts'],
  })
  t.ok(outcomes.some(({ became }) => became === 'unreached'))
})

test('a file of many tests leaves room for a test of another file', async (t) => {
  const outcomes = await runMutationCampaign({
    sources: ['packages/core/src/shared/language.ts'],
    tests: ['lab/test/campaigns/fixtures/{many-tests,slow-test}.ts'],
  })
  const { became, by } = outcomes.find(({ mutant }) => mutant.name.startsWith('`===` → `!==`')) ?? {}
  t.equal(became, 'killed')
  t.match(by, 'slow-test.ts')
})

test('histories compare a memory storage that has a mutant with one that has none', async (t) => {
  const outcomes = await runMutationCampaign({
    sources: ['packages/test-kit/src/sessions/memory-used-tokens.ts'],
    tests: ['lab/test/campaigns/fixtures/histories.ts'],
  })
  t.ok(outcomes.length > 0)
  t.strictSame(
    outcomes.filter(({ became }) => became !== 'killed').map(({ mutant }) => mutant.name),
    [],
  )
})

test('a mutant takes effect in the code that it stands for, and in no other', (t) => {
  const { code, mutants } = instrument('x.ts', 'const isMore = (a: number, b: number) => a > b && b >= 0', 0)
  const evaluate = (active: number): unknown[] => {
    Object.assign(globalThis, { mutants: { at: (id: number) => id === active } })
    const isMore = runInThisContext(`(() => { ${code}; return isMore })()`) as (
      a: number,
      b: number,
    ) => unknown
    return [isMore(2, 1), isMore(1, 1), isMore(1, 0), isMore(1, -1)]
  }
  t.strictSame(evaluate(-1), [true, false, true, false])
  const changed = Object.fromEntries(mutants.map(({ id, name }) => [name, evaluate(id)]))
  t.strictSame(changed['`>` → `>=` in `a > b`'], [true, true, true, false])
  t.strictSame(changed['`>=` → `>` in `b >= 0`'], [true, false, false, false])
  t.strictSame(changed['`0` → `0 + 1`'], [true, false, false, false])
  t.strictSame(changed['`&&` → `||` in `a > b && b >= 0`'], [true, true, true, true])
  t.end()
})

test('every source of the packages can be read with its mutants', (t) => {
  const unread = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((path) => {
    try {
      return instrument(path, readFileSync(resolve(root, path), 'utf8'), 0).code === ''
    } catch {
      return true
    }
  })
  t.strictSame(unread, [])
  t.end()
})

test('what no test can notice has no mutants', (t) => {
  const code = `const f = (bytes: Buffer) => { bytes.fill(0); throw Object.assign(Error(), { text: 'The file is missing.', encoding: 'utf8' }) }`
  const names = instrument('x.ts', code, 0).mutants.map(({ name }) => name)
  t.ok(names.length > 1)
  t.strictSame(
    names.filter((name) => /^`(?:'The file|'utf8|0`)|^without `bytes/.test(name)),
    [],
  )
  t.end()
})

test('a reason to survive is given for a mutant that exists', (t) => {
  for (const [path, reasons] of Object.entries(justified)) {
    const { mutants } = instrument(path, readFileSync(resolve(root, path), 'utf8'), 0)
    for (const [scope, name] of reasons)
      t.ok(
        mutants.some((mutant) => mutant.scope === scope && mutant.name === name),
        `${path}, ${scope}: ${name}`,
      )
  }
  t.end()
})
