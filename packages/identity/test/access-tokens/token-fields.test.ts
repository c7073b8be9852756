import t from 'tap'
import { parseScopes, tokenLifetimeError } from '../../src/access-tokens/token-fields.ts'

t.test('scopes are named once each, and unknown ones are refused', (t) => {
  t.strictSame(parseScopes(['write', 'read', 'write']), ['read', 'write'])
  t.strictSame(parseScopes(['read']), ['read'])
  t.equal(parseScopes([]), undefined)
  t.equal(parseScopes(['read', 'admin']), undefined)
  t.end()
})

t.test('a token lives from a second to ten years', (t) => {
  t.equal(tokenLifetimeError(1), undefined)
  t.equal(tokenLifetimeError(3_650 * 86_400), undefined)
  for (const wrong of [0, -1, 1.5, 3_650 * 86_400 + 1, NaN]) t.ok(tokenLifetimeError(wrong), String(wrong))
  t.end()
})
