import fs, { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { takeLock, type FileLock } from '../src/index.ts'
import { replaceFunctions } from './support/watch-files.ts'

const nowMicros = 1_760_000_000_000_000

const lockIn = (t: Test): string => join(t.testdir(), 'file.lock')

/** A lock that another process took some seconds before `nowMicros`. */
function lockedFor(path: string, seconds: number): void {
  writeFileSync(path, '')
  utimesSync(path, nowMicros / 1e6 - seconds, nowMicros / 1e6 - seconds)
}

t.test('a lock is a file for its owner only, and is free again once released', async (t) => {
  const path = lockIn(t)
  const lock = takeLock(path, nowMicros)
  t.equal(lock?.isHeld(), true)
  t.equal(statSync(path).mode & 0o777, 0o600)
  lock?.release()
  t.notOk(existsSync(path))
  t.ok(takeLock(path, nowMicros))
})

t.test('a lock that another process holds is refused, for a minute', async (t) => {
  const path = lockIn(t)
  for (const seconds of [0, 59.999, -59.999]) {
    lockedFor(path, seconds)
    t.equal(takeLock(path, nowMicros), undefined, String(seconds))
    t.ok(existsSync(path))
  }
})

t.test('a lock of a minute ago, or of a clock that ran ahead, is broken', async (t) => {
  const path = lockIn(t)
  for (const seconds of [60, 3_600, -60]) {
    lockedFor(path, seconds)
    const lock = takeLock(path, nowMicros)
    t.equal(lock?.isHeld(), true, String(seconds))
    lock?.release()
    t.strictSame(readdirSync(join(path, '..')), [])
  }
})

t.test(
  'a process whose lock was broken no longer holds it, and does not release the other one',
  async (t) => {
    const path = lockIn(t)
    const slow = takeLock(path, nowMicros)
    utimesSync(path, nowMicros / 1e6 - 60, nowMicros / 1e6 - 60)
    const fast = takeLock(path, nowMicros)
    t.equal(slow?.isHeld(), false)
    slow?.release()
    t.equal(fast?.isHeld(), true)
  },
)

t.test('of two processes that break a lock at the same time, one gets it', async (t) => {
  const path = lockIn(t)
  lockedFor(path, 60)
  const { renameSync } = fs
  let calls = 0
  let fast: FileLock | undefined
  replaceFunctions(t, {
    // At the first call the slow process has found the lock to be too old.
    renameSync(from, to) {
      calls += 1
      if (calls === 1) fast = takeLock(path, nowMicros)
      renameSync(from, to)
    },
  })
  const slow = takeLock(path, nowMicros)
  t.equal(slow, undefined)
  t.equal(fast?.isHeld(), true)
  fast?.release()
  t.strictSame(readdirSync(join(path, '..')), [])
})

t.test('a lock that is released while another process looks at it is free', async (t) => {
  const path = lockIn(t)
  const { statSync } = fs
  for (const seconds of [0, 60]) {
    lockedFor(path, seconds)
    let looks = 0
    replaceFunctions(t, {
      statSync: ((...args: Parameters<typeof statSync>) => {
        const stats = statSync(...args)
        looks += 1
        if (looks === 1) rmSync(path)
        return seconds === 0 ? statSync(...args) : stats
      }) as typeof statSync,
    })
    const lock = takeLock(path, nowMicros)
    t.equal(lock?.isHeld(), true, String(seconds))
    lock?.release()
  }
})

t.test('where no lock can be made, the error of the file system is thrown', async (t) => {
  t.throws(() => takeLock(join(t.testdir(), 'missing', 'file.lock'), nowMicros), { code: 'ENOENT' })
})
