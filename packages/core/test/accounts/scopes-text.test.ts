import t from 'tap'
import { scopesOf, scopesText } from '../../src/accounts/scopes-text.ts'

t.test('scopes survive the way through their text', (t) => {
  for (const scopes of [[], ['read'], ['write'], ['read', 'write']] as const) {
    t.same(scopesOf(scopesText(scopes)), scopes)
  }
  t.equal(scopesText(['read', 'write']), 'read write')
  t.end()
})
