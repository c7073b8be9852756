import t from 'tap'
import { scoreCases } from '../../campaigns/mutation/cases.ts'

t.test('each case of the contracts fails with a mutant of the fakes or on a fake with a flaw', async (t) => {
  const cases = await scoreCases([
    'packages/test-kit/src/**/{memory-*,fake-*,failing,manual-clock,seeded-random,soft-passkey,test-passkeys}.ts',
  ])
  t.ok(cases.length > 500, `${cases.length} cases`)
  t.strictSame(
    cases.filter(({ mutant, flaws }) => mutant === undefined && flaws.length === 0).map(({ id }) => id),
    [],
  )
})
