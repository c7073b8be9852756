import t from 'tap'
import { nearest } from '../../src/config/nearest.ts'

t.test('the candidate with the fewest edits wins', async (t) => {
  t.equal(nearest('prots', ['hosts', 'ports']), 'ports')
  t.equal(nearest('ports', ['host', 'port']), 'port')
  t.equal(nearest('limt', ['host', 'limit-per-day']), 'limit-per-day', 'a beginning counts')
  t.equal(nearest('', ['abc', 'a']), 'a')
  t.equal(nearest('x', []), '')
})
