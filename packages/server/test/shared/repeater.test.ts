import t from 'tap'
import { startRepeater } from '../../src/shared/repeater.ts'
import { createTestTimers } from '../support/timers.ts'

t.test(
  'a wake while a step runs leads to another one: it may have come too late for the first',
  async (t) => {
    const timers = createTestTimers()
    let steps = 0
    const repeater = startRepeater({
      timers,
      async step() {
        steps += 1
        await Promise.resolve()
        if (steps === 1) repeater.wake()
        return 60_000
      },
    })
    await timers.advance(0)
    t.equal(steps, 2)
    await timers.advance(59_999)
    t.equal(steps, 2)
    await timers.advance(1)
    t.equal(steps, 3)
    await repeater.stop()
    repeater.wake()
    await timers.advance(120_000)
    t.equal(steps, 3, 'none after the end')
  },
)
