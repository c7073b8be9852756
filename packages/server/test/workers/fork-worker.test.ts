import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import t, { type Test } from 'tap'
import { forkWorker } from '../../src/workers/fork-worker.ts'

const start = { kind: 'lead' } as const
const id = 7

/** Forks a worker as `fork` does it, and uses it as a supervisor does. */
async function endOf(t: Test, fork: () => unknown) {
  t.intercept(cluster, 'fork', { value: fork })
  const { promise, resolve } = Promise.withResolvers<unknown>()
  let isReturned = false
  const worker = forkWorker({
    received: () => undefined,
    ended: (how) => resolve({ ...how, isReturned }),
  })
  isReturned = true
  worker.send(start)
  worker.kill()
  t.equal(worker.pid, undefined)
  return promise
}

/** A worker whose process the system has refused. Node.js leaves out the channel when no descriptor is left. */
function refused(code: string, channel: { readonly connected?: boolean } = {}): Worker {
  const worker = Object.assign(new EventEmitter(), { id, process: { kill: () => false, ...channel } })
  t.intercept(cluster, 'workers', { value: { [id]: worker } })
  process.nextTick(() => worker.emit('error', Object.assign(new Error(code), { code })))
  return worker as unknown as Worker
}

t.test('a process that cannot be started is reported as ended, later and with the reason', async (t) => {
  const ended = (startError: string) => ({ exitCode: null, signal: null, startError, isReturned: true })
  const outOfMemory = (): never => {
    throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
  }
  t.strictSame(await endOf(t, outOfMemory), ended('ENOMEM'))
  t.strictSame(await endOf(t, () => refused('EMFILE')), ended('EMFILE'))
  t.notOk(id in (cluster.workers ?? {}), 'cluster has forgotten it')
  t.strictSame(await endOf(t, () => refused('EAGAIN', { connected: true })), ended('EAGAIN'))
  t.ok(id in (cluster.workers ?? {}), 'cluster forgets one with a channel by itself')
})
