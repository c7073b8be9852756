import t from 'tap'
import { createCheckpointTurn } from '../../src/workers/checkpoint-turn.ts'
import { createTestTimers } from '../support/timers.ts'

t.test('erasures are gathered, and each file is told of once', async (t) => {
  const told: string[] = []
  const timers = createTestTimers()
  const turn = createCheckpointTurn((file) => told.push(file), timers)
  t.equal(turn.isMine(), false)
  for (let erasures = 0; erasures < 50; erasures += 1) turn.pass('sotto.sqlite')
  turn.pass('quota.sqlite')
  await timers.advance(99)
  t.strictSame(told, [])
  await timers.advance(1)
  t.strictSame(told, ['sotto.sqlite', 'quota.sqlite'])
  turn.pass('sotto.sqlite')
  await timers.advance(100)
  t.strictSame(told, ['sotto.sqlite', 'quota.sqlite', 'sotto.sqlite'])
})

t.test('whoever takes the turn empties what others have left, and then what they pass', async (t) => {
  const emptied: string[] = []
  const turn = createCheckpointTurn(() => undefined, createTestTimers())
  turn.onPassed('a', () => emptied.push('a before it was opened again'))
  turn.onPassed('a', () => emptied.push('a'))
  turn.onPassed('b', () => emptied.push('b'))
  turn.take()
  t.equal(turn.isMine(), true)
  t.strictSame(emptied, ['a', 'b'])
  turn.passed('b')
  turn.passed('c')
  t.strictSame(emptied, ['a', 'b', 'b'])
})
