import t from 'tap'
import { createSharedWait } from '../../src/http/shared-wait.ts'

t.test('all that wait in one turn go on together, those of the next turn after them', async (t) => {
  const wait = createSharedWait()
  const order: string[] = []
  const say = (text: string) => () => void order.push(text)
  const first = [wait().then(say('one')), wait().then(say('two'))]
  t.strictSame(order, [])
  setImmediate(() => order.push('a later callback'))
  await Promise.all(first)
  t.strictSame(order, ['one', 'two'])
  await wait().then(say('three'))
  t.strictSame(order, ['one', 'two', 'a later callback', 'three'])
})
