import { setTimeout as pause } from 'node:timers/promises'
import type { HttpStepOptions } from './http-calls.ts'
import { httpStep } from './http-steps.ts'
import { operatorStep, type OperatorStepOptions } from './operator-steps.ts'

export interface LoadOptions extends HttpStepOptions {
  /** How many HTTP requests are under way at the same time. */
  readonly overHttp: number
  /** How long each waits for its next request. A refusal is answered immediately: nearly all requests would be refused ones. */
  readonly pauseMillis?: number
  readonly operator?: OperatorStepOptions['operator']
  /** How many of the operator's requests are under way at the same time. */
  readonly byOperator?: number
}

/** A load that continues until it is stopped or its server is gone. */
export interface Load {
  /** Resolves when server and operator have both answered their first request, or are gone. */
  readonly firstAnswers: Promise<unknown>
  /** Sends no further requests. Resolves when those under way are answered or cut off. */
  stop(): Promise<void>
}

/** Keeps a server, and perhaps an operator, busy. */
export function startLoad({
  overHttp,
  pauseMillis,
  operator,
  byOperator = 0,
  ...options
}: LoadOptions): Load {
  let stopped = false
  const keepBusy = (count: number, step: () => Promise<boolean>) => {
    const { promise: firstAnswer, resolve: answered } = Promise.withResolvers<unknown>()
    const worker = async (): Promise<void> => {
      while (!stopped && (await step())) {
        answered(true)
        if (pauseMillis !== undefined) await pause(pauseMillis)
      }
      answered(false)
    }
    return { firstAnswer, ended: Promise.all(Array.from({ length: count }, worker)) }
  }
  const loads = [keepBusy(overHttp, () => httpStep(options))]
  if (operator !== undefined) loads.push(keepBusy(byOperator, () => operatorStep({ ...options, operator })))
  return {
    firstAnswers: Promise.all(loads.map(({ firstAnswer }) => firstAnswer)),
    async stop() {
      stopped = true
      await Promise.all(loads.map(({ ended }) => ended))
    },
  }
}
