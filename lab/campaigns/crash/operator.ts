import type { Child } from '../support/child.ts'
import type { OperatorAnswer, OperatorRequest } from './operator-process.ts'

/** A request without its number. */
export type OperatorTask = OperatorRequest extends infer Request
  ? Request extends OperatorRequest
    ? Omit<Request, 'nr'>
    : never
  : never

/** A process that works on the store beside the server; see operator-process.ts. */
export interface Operator {
  readonly child: Child
  /** Sends a request. `undefined` when the process ended before it answered. */
  ask(task: OperatorTask): Promise<OperatorAnswer | undefined>
}

/** @param child runs `operator-process.ts` */
export function createOperator(child: Child): Operator {
  const waiting = new Map<number, (answer: OperatorAnswer | undefined) => void>()
  let last = 0
  let gone = false
  child.onLine((line) => {
    const answer = JSON.parse(line) as OperatorAnswer
    waiting.get(answer.nr)?.(answer)
    waiting.delete(answer.nr)
  })
  void child.ended.then(() => {
    gone = true
    for (const settle of waiting.values()) settle(undefined)
  })
  return {
    child,
    ask(task) {
      if (gone) return Promise.resolve(undefined)
      const nr = (last += 1)
      child.send({ ...task, nr })
      return new Promise((resolve) => waiting.set(nr, resolve))
    },
  }
}
