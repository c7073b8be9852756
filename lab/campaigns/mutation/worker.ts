import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Request } from './messages.ts'

/** A worker that has not answered for this long is lost. It ends by itself long before when a mutant keeps it busy. */
const lostMillis = 300_000

/** Modules that were loaded again are never freed, so the process is replaced after so many times. */
const reloadsMax = 25

/** Runs tests in a process of their own. */
export interface Worker {
  /** `undefined`: the process did not survive the request, or hung. The next request starts another one. */
  ask(request: Request): Promise<Answer | undefined>
  stop(): void
}

export function createWorker(code: Readonly<Record<string, string>>): Worker {
  let child: ChildProcess | undefined
  let reloads = 0
  const end = (): void => {
    child?.kill('SIGKILL')
    child = undefined
    reloads = 0
  }
  const ask = async (request: Request): Promise<Answer | undefined> => {
    if (request.kind === 'reload') reloads += 1
    if (reloads > reloadsMax) end()
    if (child === undefined) {
      child = start()
      await answerOf(child, { kind: 'sources', code })
    }
    const answer = await answerOf(child, request)
    if (answer === undefined) end()
    return answer
  }
  return { ask, stop: end }
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL('worker-process.ts', import.meta.url)), {
    env: { ...process.env, TAP_TIMEOUT: '0' }, // tap would end the process after 30 s
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=3000'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function answerOf(child: ChildProcess, request: Request): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const end = (answer: Answer | undefined): void => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      resolve(answer)
    }
    const onExit = (): void => end(undefined)
    const onMessage = (message: Answer | { readonly kind?: undefined }): void => {
      if (message.kind !== undefined) end(message) // tap sends messages of its own
    }
    const timer = setTimeout(onExit, lostMillis)
    child.on('message', onMessage).once('exit', onExit)
    child.send(request)
  })
}
