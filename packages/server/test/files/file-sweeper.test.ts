import { nilUuid, type StorageError, type SweptFiles } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import t from 'tap'
import { startFileSweeper, waitingMax } from '../../src/files/file-sweeper.ts'
import { createWatchers } from '../../src/installation/watch-storage.ts'
import { createTestTimers } from '../support/timers.ts'

/** A file sweeper, what it has swept, and what tells it that something was erased. */
function harness() {
  const { all, watch } = createWatchers()
  const timers = createTestTimers()
  const swept: (string | undefined)[] = []
  const logged: string[] = []
  const state = {
    answer: ok({ files: 1, orphans: 0 }) as Result<SweptFiles, StorageError>,
    hold: undefined as Promise<undefined> | undefined,
    shouldStop: undefined as (() => boolean) | undefined,
  }
  const sweep = async (ofErased: string | undefined) => {
    swept.push(ofErased)
    await state.hold
    return state.answer
  }
  const sweeper = startFileSweeper({
    watch,
    timers,
    log: { warn: (_details, message) => logged.push(message) },
    sotto: {
      sweepFiles(input = {}) {
        state.shouldStop = input.shouldStop
        return new ResultAsync(sweep(input.ofErased))
      },
    },
  })
  return { sweeper, timers, swept, logged, state, erased: (id: string) => all.erased(id) }
}

// Promise (Files): What an owner deletes gives its room back within two seconds
t.test('the files of what was erased are dropped at once, of each secret once', async (t) => {
  const { sweeper, timers, swept, erased } = harness()
  await timers.advance(0)
  t.strictSame(swept, [])
  for (const id of ['a', 'b', 'a', nilUuid]) erased(id)
  await timers.advance(0)
  t.strictSame(swept, ['a', 'b', nilUuid])
  await timers.advance(60_000)
  erased('a')
  await timers.advance(0)
  t.equal(swept.length, 4, 'again')
  await sweeper.stop()
  erased('c')
  await timers.advance(120_000)
  t.equal(swept.length, 4, 'none after the end')
})

t.test('files that cannot be dropped are logged and left to the sweep of every minute', async (t) => {
  const { sweeper, timers, swept, logged, state, erased } = harness()
  state.answer = err({ code: 'storage_failed', detail: 'broken' })
  erased('a')
  erased('b')
  await timers.advance(120_000)
  t.strictSame([swept, logged.length], [['a', 'b'], 2])
  await sweeper.stop()
})

t.test('it remembers a bounded number of secrets, and files that were removed in any case', async (t) => {
  const { sweeper, timers, swept, erased } = harness()
  for (let at = 0; at < waitingMax + 5; at += 1) erased(String(at))
  erased(nilUuid)
  while (swept.length < waitingMax + 1) await timers.advance(0)
  await timers.advance(60_000)
  t.equal(swept.length, waitingMax + 1)
  t.equal(swept.at(-1), nilUuid)
  await sweeper.stop()
})

t.test('it stops after the file that it drops', async (t) => {
  const { sweeper, timers, state, erased } = harness()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  state.hold = promise
  erased('a')
  await timers.advance(0)
  t.equal(state.shouldStop?.(), false)
  const stopped = sweeper.stop()
  t.equal(state.shouldStop?.(), true)
  resolve(undefined)
  await stopped
})
