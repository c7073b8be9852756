import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { smallHeapArguments, smallHeapOptions } from '../../src/serving/small-heap.ts'
import { startPostgres } from '../support/postgres.ts'
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

/** Makes garbage that lives for a while, once the server listens, and prints how often all of the heap was collected. */
const countCollections = `
  const { PerformanceObserver, constants } = require('node:perf_hooks')
  const { write } = process.stdout
  let full = 0
  const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  process.stdout.write = function (...given) {
    process.stdout.write = write
    new PerformanceObserver((list) => (full += list.getEntries().filter(isFull).length)).observe({ entryTypes: ['gc'] })
    fill(Array.from({ length: 200_000 }), 0)
    return write.apply(this, given)
  }
  function fill(ring, turn) {
    for (let at = 0; at < 20_000; at += 1) ring[(turn * 20_000 + at) % ring.length] = { at, text: 'x' + at }
    if (turn < 200) setImmediate(fill, ring, turn + 1)
    else setTimeout(() => process.stderr.write('collected: ' + full + '\\n'), 100)
  }`

t.test('on PostgreSQL the heap grows further before all of it is collected', async (t) => {
  const cwd = t.testdir({ 'count.cjs': countCollections })
  const { env } = await startPostgres()
  const collections = async (settings: NodeJS.ProcessEnv): Promise<number> => {
    const nodeArgs = [...smallHeapOptions, '--require', `${cwd}/count.cjs`]
    const server = await spawnServer(t, { cwd, nodeArgs, env: settings })
    const [, count] = await server.logged(/collected: (\d+)/)
    server.child.kill('SIGTERM')
    return Number(count)
  }
  const [sqlite, postgres] = [await collections({}), await collections(env)]
  t.ok(postgres > 0 && postgres * 1.5 < sqlite, `${postgres} on PostgreSQL, ${sqlite} on SQLite`)
})

/** Prints how often all of the heap was collected, when the process ends. */
const countUntilEnd = `
  const { PerformanceObserver, constants } = require('node:perf_hooks')
  let full = 0
  const count = (list) => { for (const { detail } of list.getEntries()) full += detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR }
  new PerformanceObserver(count).observe({ entryTypes: ['gc'] })
  process.on('exit', () => process.stderr.write('collected: ' + full + '\\n'))`

t.test('while files pass, the heap grows further before all of it is collected', async (t) => {
  const dir = t.testdir({ 'count.cjs': countUntilEnd, roomy: {}, small: {} })
  const collections = async (data: string, options: readonly string[]): Promise<number> => {
    const nodeArgs = [...options, '--require', `${dir}/count.cjs`]
    const server = await spawnServer(t, { cwd: join(dir, data), nodeArgs })
    const { baseUrl, firstStart } = server
    for (let turn = 0; turn < 8; turn += 1) {
      const form = new FormData()
      form.set('secret', JSON.stringify({ folder_id: firstStart?.folder_id, label: 'x', note: '' }))
      form.set('file', new Blob([Buffer.alloc(20_000_000, turn)]), 'a.bin')
      const headers = { authorization: `Bearer ${firstStart?.token ?? ''}` }
      const answer = await fetch(`${baseUrl}/api/secret`, { method: 'POST', headers, body: form })
      t.equal(answer.status, 201, await answer.text())
    }
    server.child.kill('SIGTERM')
    t.equal(await server.ended, 0)
    return Number(/collected: (\d+)/.exec(server.stderr())?.[1])
  }
  // Written otherwise, the option is one that an operator has set.
  const asSet = smallHeapOptions.map((option) => option.replace('growing-percent', 'growing_percent'))
  const [few, many] = [await collections('roomy', smallHeapOptions), await collections('small', asSet)]
  t.ok(few * 2 < many, `${few} collections, and ${many} with a heap that stays small`)
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
