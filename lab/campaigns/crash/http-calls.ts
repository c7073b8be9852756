import type { Chance } from '../support/chance.ts'
import { callsPerDay } from '../support/place.ts'
import type { Answer, Client, Form } from '../support/client.ts'
import type { Ledger } from './ledger.ts'

export interface HttpStepOptions {
  readonly ledger: Ledger
  readonly chance: Chance
  readonly client: Client
}

/** Calls the API and compares the quota in the answer with the calls so far. */
export async function call(
  client: Client,
  ledger: Ledger,
  method: string,
  path: string,
  given: { readonly body?: unknown; readonly form?: Form | undefined } = {},
): Promise<Answer | undefined> {
  const { calls, bearer } = ledger
  calls.most += 1
  const answeredBefore = calls.least
  const answer = await client.ask(method, path, { bearer, ...given })
  if (answer === undefined) return undefined
  if (answer.status >= 500 && ledger.countsMayBeForgotten) return answer
  const used = callsPerDay - Number(answer.headers['x-ratelimit-remaining'])
  const least = ledger.countsMayBeForgotten ? 0 : answeredBefore
  if (!(used > least && used <= calls.most)) {
    ledger.violations.push(
      `the quota counts ${used} calls: ${answeredBefore} were answered, ${calls.most} sent`,
    )
  }
  calls.least += 1
  ledger.figures.calls += 1
  return answer
}

/** Whether the server says that it cannot do it at the moment. */
export function isRefusal({ readsMayFail, diskMayBeFull }: Ledger, { status }: Answer): boolean {
  return status === 503 || (status === 500 && readsMayFail) || (status === 507 && diskMayBeFull)
}

/** Whether the request may have taken effect: a 503 says so, a 500 says nothing. */
export function mayHaveHappened({ status, text }: Answer): boolean {
  return status === 500 || text.includes('may have taken effect')
}
