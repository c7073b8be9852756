import { test } from 'tap'
import { runWithoutCampaign, type WithoutOptions } from '../../campaigns/without/campaign.ts'
import { requests } from '../../campaigns/without/requests.ts'

/** Core without requests, with what its tests use. */
const small: WithoutOptions = {
  leaf: requests,
  projects: ['core', 'identity', 'test-kit', 'core/test'],
  tests: ['packages/core/test'],
}

test('core compiles without requests, and its remaining tests pass', async (t) => {
  const { figures, violations } = await runWithoutCampaign(small)
  t.strictSame(violations, [])
  t.ok(figures.assertions > 1_000, `${figures.assertions} assertions`)
  t.ok(figures.elements > 20, `${figures.elements} elements of lists`)
})

test('what uses requests from the folder of another capability is named with its file and line', async (t) => {
  const file = 'packages/core/src/quota/quota-windows.ts'
  const import_ = `import type { StoredRequest } from '../requests/request-store.ts'\n`
  const use = `export const isFull = ({ answersAllowed }: StoredRequest): boolean => answersAllowed === 0\n`
  const { violations } = await runWithoutCampaign({
    ...small,
    projects: ['core'],
    change: { file, text: import_ + use },
  })
  t.equal(violations.length, 1)
  t.match(violations[0], /^packages\/core\/src\/quota\/quota-windows\.ts:2 .*StoredRequest/)
})

test('a place in the list of the others that the sources no longer have is named', async (t) => {
  const { file, why } = requests.edits[0]!
  const stale = { ...requests, edits: [{ file, from: 'what nobody writes', to: '', why }] }
  const { violations } = await runWithoutCampaign({ ...small, leaf: stale })
  t.strictSame(violations, [`${file} does not have once: what nobody writes`])
})
