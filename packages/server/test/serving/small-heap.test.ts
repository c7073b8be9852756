import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { smallHeapArguments, smallHeapOptions } from '../../src/serving/small-heap.ts'
import { spawnServer } from '../support/spawned.ts'

/** Makes garbage that survives for a while, before the program runs, and prints how large the young generation has become, in MiB. */
const fillHeap = `
  const v8 = require('node:v8')
  let largest = 0
  for (let kept = [], made = 0; made < 2_000_000; made += 1) {
    if (kept.push({ made, text: 'x' + made }) > 100_000) kept = []
    if (made % 10_000 > 0) continue
    const space = v8.getHeapSpaceStatistics().find((each) => each.space_name === 'new_space')
    largest = Math.max(largest, space.space_size)
  }
  process.stderr.write('largest: ' + largest / 2 ** 20 + '\\n')`

async function largestYoungGenerations(t: Test, nodeArgs: readonly string[] = []): Promise<number[]> {
  const cwd = t.testdir({ 'fill-heap.cjs': fillHeap })
  const server = await spawnServer(t, { cwd, nodeArgs: [...nodeArgs, '--require', `${cwd}/fill-heap.cjs`] })
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  return [...server.stderr().matchAll(/largest: (.*)/g)].map(([, size]) => Number(size))
}

t.test('the young generation of a server stays small, in the process that was started', async (t) => {
  const [before = 0, after = Infinity, ...more] = await largestYoungGenerations(t)
  t.ok(before > 24, `${before} MiB with the default`)
  t.ok(after <= 24, `${after} MiB after the restart`)
  t.strictSame(more, [], 'there is one restart')
})

t.test('the size that an operator has set is kept', async (t) => {
  const [first = 0, ...more] = await largestYoungGenerations(t, ['--max_semi_space_size=16'])
  t.ok(first > 16, `${first} MiB`)
  t.strictSame(more, [], 'there is no restart')
})

t.test('another release of Node.js gets the options only if it takes them', (t) => {
  t.strictSame(smallHeapArguments(), [...smallHeapOptions, ...process.execArgv])
  t.intercept(process, 'versions', { value: { ...process.versions, node: '240.0.0' } })
  t.strictSame(smallHeapArguments(), [...smallHeapOptions, ...process.execArgv])
  const refusing = join(t.testdir({ node: '#!/bin/sh\nexit 9\n' }), 'node')
  chmodSync(refusing, 0o755)
  t.intercept(process, 'execPath', { value: refusing })
  t.strictSame(smallHeapArguments(), process.execArgv)
  t.end()
})
