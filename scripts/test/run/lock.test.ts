import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import t, { type Test } from 'tap'
import { createCheckout, type Checkout } from './support/checkout.ts'

/**
 * Takes the lock, says `in`, and keeps it until its input ends. Each time that it waits it says `waits`. With `pause` it says `paused` before
 * it removes its first lock, and goes on when it gets a byte.
 */
const source = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const say = (word) => fs.writeSync(1, word + '\\n')
const { rmSync } = fs
let isToPause = process.argv[2] === 'pause'
fs.rmSync = (path, options) => {
  if (isToPause) {
    isToPause = false
    say('paused')
    fs.readSync(0, Buffer.alloc(1))
  }
  rmSync(path, options)
}
syncBuiltinESMExports()
const { setTimeout } = globalThis
globalThis.setTimeout = (...parameters) => {
  say('waits')
  return setTimeout(...parameters)
}
const { locked } = await import('./scripts/run/lock.mjs')
await locked(async () => {
  say('in')
  for await (const _ of process.stdin);
})
say('out')
`

interface Worker {
  readonly child: ChildProcess
  /** The next word that it says; `undefined` when it has ended. */
  next(): Promise<string | undefined>
}

function start(t: Test, { root }: Checkout, ...args: string[]): Worker {
  writeFileSync(join(root, 'worker.mjs'), source)
  const child = spawn(process.execPath, [join(root, 'worker.mjs'), ...args], { cwd: root })
  t.teardown(() => child.kill('SIGKILL'))
  const lines: Interface = createInterface(child.stdout)
  const words = lines[Symbol.asyncIterator]()
  return {
    child,
    async next() {
      const { value, done } = await words.next()
      return done === true ? undefined : value
    },
  }
}

/** The next word other than `waits`. */
async function nextNews({ next }: Worker): Promise<string | undefined> {
  let word = await next()
  while (word === 'waits') word = await next()
  return word
}

/** A lock whose holder was killed. */
async function leaveLock(t: Test, checkout: Checkout): Promise<void> {
  const dead = start(t, checkout)
  t.equal(await dead.next(), 'in')
  dead.child.kill('SIGKILL')
  await once(dead.child, 'exit')
}

t.test('a second process waits until the first has released the lock, and nothing is left', async (t) => {
  const checkout = await createCheckout(t)
  const first = start(t, checkout)
  t.equal(await first.next(), 'in')
  const second = start(t, checkout)
  t.equal(await second.next(), 'waits')
  first.child.stdin?.end()
  t.equal(await first.next(), 'out')
  t.equal(await nextNews(second), 'in')
  second.child.stdin?.end()
  t.equal(await second.next(), 'out')
  t.strictSame(checkout.tools(), [])
})

t.test('the lock of a process that was killed keeps nobody waiting', async (t) => {
  const checkout = await createCheckout(t)
  await leaveLock(t, checkout)
  const next = start(t, checkout)
  t.equal(await nextNews(next), 'in')
  next.child.stdin?.end()
  t.equal(await next.next(), 'out')
  t.strictSame(checkout.tools(), [])
})

t.test(
  'of two that find one lock abandoned, the slower one does not remove the lock of the other',
  async (t) => {
    const checkout = await createCheckout(t)
    await leaveLock(t, checkout)
    const slow = start(t, checkout, 'pause')
    t.equal(await slow.next(), 'paused', 'it has judged the lock')
    const quick = start(t, checkout)
    t.equal(await nextNews(quick), 'in')
    slow.child.stdin?.write('x')
    t.strictSame([await slow.next(), await slow.next()], ['waits', 'waits'], 'the slow one keeps waiting')
    quick.child.stdin?.end()
    t.equal(await quick.next(), 'out')
    t.equal(await nextNews(slow), 'in')
    slow.child.stdin?.end()
    t.equal(await slow.next(), 'out')
    t.strictSame(checkout.tools(), [])
  },
)
