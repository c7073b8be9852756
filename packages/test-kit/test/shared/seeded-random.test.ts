import { createSeededRandom } from '@sotto/test-kit'
import t from 'tap'

t.test('the same seed gives the same bytes, another one gives others', async (t) => {
  const [one, same, other] = [createSeededRandom(5), createSeededRandom(5), createSeededRandom(6)]
  for (const count of [1, 7, 32]) {
    const bytes = one.bytes(count)
    t.strictSame(same.bytes(count), bytes)
    t.notSame(other.bytes(count), bytes)
  }
})
