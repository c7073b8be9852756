import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Request } from './messages.ts'

/** After so long without a sign of life a worker is in an endless loop. */
const silenceMillis = 8_000

/** Runs tests in a process of their own. */
export interface Worker {
  /** `undefined`: the process did not survive the request, or hung. The next request starts another one. */
  ask(request: Request): Promise<Answer | undefined>
  stop(): void
}

export function createWorker(code: Readonly<Record<string, string>>): Worker {
  let child: ChildProcess | undefined
  const ask = async (request: Request): Promise<Answer | undefined> => {
    if (child === undefined) {
      child = start()
      await answerOf(child, { kind: 'sources', code })
    }
    const answer = await answerOf(child, request)
    if (answer === undefined) {
      child.kill('SIGKILL')
      child = undefined
    }
    return answer
  }
  return { ask, stop: () => void child?.kill('SIGKILL') }
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL('worker-process.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=3000'],
    stdio: ['ignore', 'ignore', process.env['MUTATION_STDERR'] === undefined ? 'ignore' : 'inherit', 'ipc'],
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
    const onMessage = (message: Answer | { readonly kind?: 'alive' }): void => {
      // tap sends messages of its own.
      if (message.kind === undefined) return
      if (message.kind === 'alive') timer.refresh()
      else end(message)
    }
    const timer = setTimeout(onExit, silenceMillis)
    child.on('message', onMessage).once('exit', onExit)
    child.send(request)
  })
}
