import { setTimeout as pause } from 'node:timers/promises'
import type { HttpStepOptions } from '../crash/http-calls.ts'
import { httpStep } from '../crash/http-steps.ts'

/** A load that continues until it is stopped or its server is gone. */
export interface Load {
  /** Sends no further requests. Resolves when those under way are answered or cut off. */
  stop(): Promise<void>
}

const workers = 6
/** A refusal is answered immediately, so without a pause nearly all requests would be refused ones. */
const pauseMillis = 25

/** Creates, opens and reads secrets over HTTP. */
export function startLoad(options: HttpStepOptions): Load {
  let stopped = false
  const work = async (): Promise<void> => {
    while (!stopped && (await httpStep(options))) await pause(pauseMillis)
  }
  const ended = Promise.all(Array.from({ length: workers }, work))
  return {
    async stop() {
      stopped = true
      await ended
    },
  }
}
