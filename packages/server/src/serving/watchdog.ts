import inspector from 'node:inspector'
import { hostname } from 'node:os'
import { Worker } from 'node:worker_threads'

/** The code with which a process ends whose event loop stood still. It is EX_SOFTWARE of sysexits.h. */
export const stalledExitCode = 70

/** How often the watching thread looks, in milliseconds. */
const lookMillis = 1_000

/** The number of looks in a row without a turn of the event loop after which the process ends. */
const looksMax = 30

export interface WatchdogOptions {
  /** Whether a line is written to standard error before the process ends. */
  readonly isLogged: boolean
  /** Called when nothing watches the event loop any more. */
  readonly onLost: (error: Error) => void
  /** Other times, for tests: how often the thread looks, in milliseconds. By default 1,000. */
  readonly lookMillis?: number
}

/** What the watching thread is given. */
interface Watched {
  /** The number of turns; then 1 while a debugger may be attached, which stops the event loop on purpose. */
  readonly turns: Int32Array
  readonly lookMillis: number
  readonly looksMax: number
  readonly exitCode: number
  readonly isLogged: boolean
  readonly hostname: string
}

/**
 * Ends the process when its event loop has made no turn for 30 seconds: it answers nobody then, and does not react to SIGTERM either. A
 * thread watches, because nothing else runs in such a process. It counts its own looks instead of reading a clock: in a process that was
 * stopped (SIGSTOP), or on a machine that slept, it looked no more often than the event loop turned.
 *
 * The process ends with {@link stalledExitCode}, after a line of the log that names the functions which ran. Where V8 reacts to nothing,
 * because a system call does not return, the line names none, and SIGKILL ends the process.
 *
 * @returns ends the watching
 */
export function startWatchdog(options: WatchdogOptions): () => void {
  const every = options.lookMillis ?? lookMillis
  const turns = new Int32Array(new SharedArrayBuffer(8))
  const beat = setInterval(() => {
    Atomics.store(turns, 1, inspector.url() === undefined ? 0 : 1)
    Atomics.add(turns, 0, 1)
  }, every).unref()
  const { isLogged } = options
  const workerData: Watched = {
    ...{ turns, lookMillis: every, looksMax, isLogged },
    ...{ exitCode: stalledExitCode, hostname: hostname() },
  }
  const thread = new Worker(
    `(${String(watch)})(process.getBuiltinModule('node:worker_threads').workerData)`,
    {
      eval: true,
      workerData,
      name: 'watchdog',
      execArgv: [],
      // The thread gets nothing of the settings, which may contain passwords.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
    },
  )
  thread.unref()
  thread.on('error', options.onLost)
  return () => {
    clearInterval(beat)
    void thread.terminate()
  }
}

/** The thread's program. It is passed on as text, so it uses nothing of this module. */
function watch({ turns, lookMillis, looksMax, exitCode, isLogged, hostname }: Watched): void {
  const { Session } = process.getBuiltinModule('node:inspector')
  const fs = process.getBuiltinModule('node:fs')
  const v8 = process.getBuiltinModule('node:v8')
  const vm = process.getBuiltinModule('node:vm')
  /** How long the functions that run are asked for, then how long a line may take to be written, in milliseconds. */
  const [askMillis, writeMillis] = [5_000, 1_000]
  const turn = (): number => Atomics.load(turns, 0)
  let last = turn()
  let looks = 0
  let isEnding = false

  setInterval(() => {
    const isWaiting = turn() === last && Atomics.load(turns, 1) === 0
    last = turn()
    looks = isWaiting ? looks + 1 : 0
    if (looks < looksMax || isEnding) return
    isEnding = true
    end()
  }, lookMillis)

  function end(): void {
    const scripts = new Map<string, string>()
    const session = new Session()
    const unanswered = setTimeout(() => finish([], kill), askMillis)
    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url))
    session.once('Debugger.paused', ({ params }) => {
      clearTimeout(unanswered)
      const frames = params.callFrames.slice(0, 10).map(({ functionName, location }) => {
        const { scriptId, lineNumber, columnNumber = 0 } = location
        const place = `${scripts.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`
        return `${functionName || '(anonymous)'} (${place})`
      })
      finish(frames, () => {
        // `reallyExit` calls no listeners of `exit`, which might not end either. Without standard error Node.js does not write to it that it
        // waits for a debugger, which this session is.
        const silence = "process.getBuiltinModule('node:fs').closeSync(2)"
        const expression = `try { ${silence} } finally { process.reallyExit(${exitCode}) }`
        session.post('Runtime.evaluate', { expression })
        setTimeout(kill, askMillis)
      })
    })
    session.connectToMainThread()
    session.post('Debugger.enable')
    session.post('Debugger.pause')

    /** Unless the event loop has turned in the meantime, logs where it stands, then ends the process. */
    function finish(where: readonly string[], exit: () => void): void {
      if (turn() === last) {
        log(where, exit)
        return
      }
      session.disconnect()
      looks = 0
      isEnding = false
    }
  }

  /** Calls `then` in any case: the event loop may stand still because nobody reads standard error. */
  function log(where: readonly string[], then: () => void): void {
    if (!isLogged) {
      then()
      return
    }
    const msg = `the event loop has stood still for ${(lookMillis * looksMax) / 1_000} seconds: the process ends`
    const time = new Date().toISOString()
    const line = { level: 60, time, pid: process.pid, hostname, exitCode, where, msg }
    const late = setTimeout(then, writeMillis)
    fs.write(2, `${JSON.stringify(line)}\n`, () => {
      if (late.hasRef()) clearTimeout(late)
      then()
    })
  }

  function kill(): void {
    process.kill(process.pid, 'SIGKILL')
    // Linux does not deliver it to process 1 of a container. A trap of the processor ends that one, too.
    setTimeout(() => {
      v8.setFlagsFromString('--allow-natives-syntax')
      vm.runInThisContext('%SystemBreak()')
    }, 1_000)
  }
}
