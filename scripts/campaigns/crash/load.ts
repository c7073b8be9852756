import type { Chance } from '../support/chance.ts'
import type { Client } from './client.ts'
import { httpStep } from './http-steps.ts'
import type { Ledger } from './ledger.ts'
import type { Operator } from './operator.ts'
import { operatorStep } from './operator-steps.ts'

export interface LoadOptions {
  readonly ledger: Ledger
  readonly chance: Chance
  readonly client: Client
  readonly operator: Operator
  /** Requests of each kind that are under way at once. */
  readonly overHttp: number
  readonly byOperator: number
}

/** A load that goes on until it is stopped. */
export interface Load {
  /** Resolves when the server is warm enough to have answered something, or is gone. */
  readonly firstAnswer: Promise<unknown>
  /** Begins nothing more. Resolves when all that is under way is answered or cut off. */
  stop(): Promise<void>
}

/** Keeps a server and an operator busy. */
export function startLoad(options: LoadOptions): Load {
  let stopped = false
  const { promise: firstAnswer, resolve: answered } = Promise.withResolvers<unknown>()
  const forever = async (step: (options: LoadOptions) => Promise<boolean>): Promise<void> => {
    while (!stopped && (await step(options))) if (step === httpStep) answered(true)
    answered(false)
  }
  const workers = [
    ...Array.from({ length: options.overHttp }, () => forever(httpStep)),
    ...Array.from({ length: options.byOperator }, () => forever(operatorStep)),
  ]
  return {
    firstAnswer,
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}
