import { join } from 'node:path'
import { spawnPinned } from '../processes/program.ts'
import type { Failure, Load, Outcome } from './protocol.ts'

export interface Generator {
  /** Runs loads at the same time. Rejects when an answer has an unexpected status. */
  run<const Loads extends readonly Load[]>(loads: Loads): Promise<{ [at in keyof Loads]: Outcome }>
  stop(): void
}

/** Starts the process that puts load on servers, on the processor that they do not use. */
export function startGenerator(): Generator {
  const args = [join(import.meta.dirname, 'generator.ts')]
  const { child } = spawnPinned({ args, processor: 1 }, ['ignore', 'inherit', 'inherit', 'ipc'])
  return {
    run: (loads) =>
      new Promise((resolve, reject) => {
        child.once('message', (answer: Failure | Outcome[]) => {
          if ('failure' in answer) reject(new Error(answer.failure))
          else resolve(answer as { [at in keyof typeof loads]: Outcome })
        })
        child.send(loads)
      }),
    stop: () => child.disconnect(),
  }
}
