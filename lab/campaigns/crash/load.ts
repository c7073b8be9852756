import type { HttpStepOptions } from './http-calls.ts'
import { httpStep } from './http-steps.ts'
import { operatorStep, type OperatorStepOptions } from './operator-steps.ts'

export interface LoadOptions extends HttpStepOptions, OperatorStepOptions {
  /** How many HTTP requests are under way at the same time. */
  readonly overHttp: number
  /** How many of the operator's requests are under way at the same time. */
  readonly byOperator: number
}

/** A load that continues until it is stopped. */
export interface Load {
  /** Resolves when server and operator have both answered their first request, or are gone. */
  readonly firstAnswers: Promise<unknown>
  /** Sends no further requests. Resolves when those under way are answered or cut off. */
  stop(): Promise<void>
}

/** Keeps a server and an operator busy. */
export function startLoad(options: LoadOptions): Load {
  let stopped = false
  const keepBusy = (count: number, step: (options: LoadOptions) => Promise<boolean>) => {
    const { promise: firstAnswer, resolve: answered } = Promise.withResolvers<unknown>()
    const worker = async (): Promise<void> => {
      while (!stopped && (await step(options))) answered(true)
      answered(false)
    }
    return { firstAnswer, ended: Promise.all(Array.from({ length: count }, worker)) }
  }
  const both = [keepBusy(options.overHttp, httpStep), keepBusy(options.byOperator, operatorStep)]
  return {
    firstAnswers: Promise.all(both.map(({ firstAnswer }) => firstAnswer)),
    async stop() {
      stopped = true
      await Promise.all(both.map(({ ended }) => ended))
    },
  }
}
