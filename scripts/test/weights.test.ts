import { resolve } from 'node:path'
import t from 'tap'
import { placesOf, sourcesIn, weightsOf } from '../weights.mjs'

const root = resolve(import.meta.dirname, '../..')

t.test('a file belongs to the innermost folder that several packages have, or to that of its name', (t) => {
  const paths = [
    'packages/core/src/requests/request.ts',
    'packages/wire/src/requests/names.ts',
    'packages/wire/src/requests/alone/names.ts',
    'packages/wire/test/requests/names.test.ts',
    'packages/html/src/requests.ts',
    'lab/campaigns/requests/campaign.ts',
    'lab/campaigns/other/campaign.ts',
  ]
  const weights = weightsOf(paths.map((path) => ({ path, kind: 'production', lines: 1 })))
  t.strictSame(
    weights.map(({ name, lines }) => [name, lines]),
    [
      ['requests', 6],
      ['elsewhere', 1],
    ],
  )
  t.end()
})

t.test('every line is counted once, and the recipes name files', (t) => {
  const sources = sourcesIn(root)
  const weights = weightsOf(sources)
  const sum = (lines: readonly number[]): number => lines.reduce((all, each) => all + each, 0)
  t.equal(sum(weights.map(({ lines }) => lines)), sum(sources.map(({ lines }) => lines)))
  t.ok(weights.some(({ name, of }) => name === 'passkeys' && of.every((lines) => lines > 0)))
  for (const heading of ['To add a field of a secret', 'To add a column', 'To add a command'])
    t.ok(placesOf(root, heading).length > 0, heading)
  t.end()
})
