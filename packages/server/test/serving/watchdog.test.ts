import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { spawnServer } from '../support/spawned.ts'

const watchdog = new URL('../../src/serving/watchdog.ts', import.meta.url).href

/** A process with a watchdog that allows 1.5 seconds, and code that runs once the thread has looked for the first time. */
function watched(
  t: Test,
  code: string,
  { nodeArgs = [], under = [] }: { readonly nodeArgs?: string[]; readonly under?: string[] } = {},
) {
  const program = `
    import fs from 'node:fs'
    const { startWatchdog } = await import(${JSON.stringify(watchdog)})
    startWatchdog({ lookMillis: 50, isLogged: true, onLost: (error) => { throw error } })
    const alive = setInterval(() => undefined, 1_000)
    setTimeout(() => { fs.writeSync(1, 'begins\\n'); ${code} }, 500)`
  const args = [...nodeArgs, '--input-type=module', '-e', program]
  const [command = process.execPath, ...before] = under
  const all = under.length === 0 ? args : [...before, process.execPath, ...args]
  const child = spawn(command, all, { cwd: t.testdir(), stdio: ['ignore', 'pipe', 'pipe'], env: {} })
  t.teardown(() => child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([status, signal]) => (status ?? signal) as number | string)
  return { child, ended, stderr: () => stderr, begun: once(child.stdout, 'data') }
}

const standing = {
  'a loop': 'function spin() { for (;;) fs.constants }; spin()',
  'a pattern': 'function spin() { /^(a+)+$/.test("a".repeat(80) + "b") }; spin()',
  'a chain of promises': 'function spin() { return Promise.resolve().then(spin) }; spin()',
  'a sort': 'function spin() { for (;;) Array.from({ length: 1e4 }, Math.random).sort() }; spin()',
}

for (const [what, code] of Object.entries(standing)) {
  t.test(`a process whose event loop stands still in ${what} ends, and the log says where`, async (t) => {
    const { ended, stderr } = watched(t, code)
    t.equal(await ended, 70)
    const [line = '', ...more] = stderr().split('\n')
    t.strictSame(more, [''], 'it is one line')
    const entry = JSON.parse(line) as { level: number; where: string[]; msg: string }
    t.match(entry, { level: 60, exitCode: 70, msg: /has stood still for 1\.5 seconds: the process ends/ })
    t.match(entry.where.join('\n'), /^spin \(file:.*:\d+:\d+\)/m)
  })
}

t.test('a process that waits in a system call is killed, and the log names no function', async (t) => {
  const { ended, stderr } = watched(t, 'fs.readSync(fs.openSync("/dev/ptmx", "r"), Buffer.alloc(1))')
  t.equal(await ended, 'SIGKILL')
  t.match(JSON.parse(stderr()), { level: 60, where: [] })
})

const unshare = ['unshare', '--pid', '--fork', '--mount-proc']
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0
t.test(
  'so is the first process of a container',
  { skip: !canUnshare && 'a process namespace cannot be made here' },
  async (t) => {
    const code = 'fs.readSync(fs.openSync("/dev/ptmx", "r"), Buffer.alloc(1))'
    const { ended, stderr } = watched(t, code, { under: unshare })
    t.match(String(await ended), /^(133|SIGTRAP)$/)
    t.match(JSON.parse(stderr()), { level: 60, where: [] })
  },
)

t.test('a process that was stopped for longer goes on', async (t) => {
  const { child, begun, ended } = watched(t, 'process.on("SIGUSR2", () => process.exit(0))')
  await begun
  child.kill('SIGSTOP')
  await wait(4_000)
  child.kill('SIGCONT')
  await wait(500)
  child.kill('SIGUSR2')
  t.equal(await ended, 0)
})

t.test('a process that is busy for less goes on, and so does one with a debugger', async (t) => {
  const busy = (millis: number): string =>
    `const end = performance.now() + ${millis}; while (performance.now() < end); setTimeout(process.exit, 100)`
  t.equal(await watched(t, busy(300)).ended, 0)
  t.equal(await watched(t, busy(6_000), { nodeArgs: ['--inspect=127.0.0.1:0'] }).ended, 0)
  t.equal(await watched(t, busy(6_000)).ended, 70, 'which would not without one')
})

/** A server whose watchdogs allow 3 seconds, and which loops for ever on SIGUSR2. */
const stalling = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import threads from 'node:worker_threads'
    import { syncBuiltinESMExports } from 'node:module'
    const { Worker } = threads
    threads.Worker = class extends Worker {
      constructor(code, options) {
        options.workerData.looksMax = 3
        super(code, options)
      }
    }
    syncBuiltinESMExports()
    process.on('SIGUSR2', function stallHere() { for (;;); })`)}`,
]

const stalled = /"level":60,.*"exitCode":70,"where":\["stallHere /

// Promise (Installing and operating): A server whose event loop stands still ends after 30 seconds
t.test('a server whose event loop stands still ends', async (t) => {
  const server = await spawnServer(t, { cwd: t.testdir(), nodeArgs: stalling })
  server.child.kill('SIGUSR2')
  t.equal(await server.ended, 70)
  t.match(server.stderr(), stalled)
})

t.test(
  'a worker whose event loop stands still is replaced, and the first process of a server ends',
  async (t) => {
    const env = { SOTTO_WORKERS: '2' }
    const server = await spawnServer(t, { cwd: t.testdir(), env, nodeArgs: stalling })
    await fetch(join(server.baseUrl, 'healthz'))
    const [, worker] = await server.logged(/"pid":(\d+),.*"msg":"request"/)
    process.kill(Number(worker), 'SIGUSR2')
    await server.logged(stalled)
    await server.logged(/"level":50,.*"exitCode":70,.*a worker has ended and is replaced/)
    t.equal((await fetch(join(server.baseUrl, 'healthz'))).status, 200)
    server.child.kill('SIGUSR2')
    t.equal(await server.ended, 70)
  },
)
