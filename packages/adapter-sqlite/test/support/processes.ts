import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Tasks } from './child.ts'

/** Another process that runs tasks. */
export interface Helper {
  /** Runs a task and waits for its answer. */
  run<Task extends keyof Tasks>(
    task: Task,
    ...args: Parameters<Tasks[Task]>
  ): Promise<Awaited<ReturnType<Tasks[Task]>>>
  readonly child: ChildProcess
}

interface Message {
  readonly answer?: unknown
  readonly error?: string
}

/** Starts another process, which is killed at the end of the test. */
export async function startHelper(t: { teardown: (fn: () => void) => void }): Promise<Helper> {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), { stdio: 'inherit' })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return {
    child,
    async run(task, ...args) {
      child.send({ task, args })
      for (;;) {
        const [message] = (await once(child, 'message')) as [Message]
        if (message.error !== undefined) throw new Error(message.error)
        if ('answer' in message) return message.answer as never
      }
    },
  }
}
