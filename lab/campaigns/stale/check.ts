import type { Agent } from 'node:http'
import type { Chance } from '../support/chance.ts'
import type { Answer, Expectation, Fact } from './facts.ts'
import { answerOf, secondOfPipeline } from './requests.ts'

export interface Checking {
  readonly origins: readonly string[]
  /** Fresh connections to each server. */
  readonly connections: number
  /** Keeps connections alive. */
  readonly agent: Agent
  readonly chance: Chance
  /** An access token of somebody else. */
  readonly otherToken: string
  readonly figures: { checks: number }
}

/** A sentence for each answer that was older than what had been acknowledged before its request began. */
export async function checkFact(fact: Fact, checking: Checking): Promise<string[]> {
  const { name, expectations, end } = fact
  const { origins, chance, agent, otherToken, figures } = checking
  const found: string[] = []
  const note = ({ status }: Answer, expected: number, how: string): void => {
    figures.checks += 1
    if (status !== expected) found.push(`${name}, ${how}: ${status} instead of ${expected}`)
  }
  for (const { request, statusBefore } of expectations)
    if (statusBefore !== undefined)
      for (const origin of origins)
        note(await answerOf(origin, request, agent), statusBefore, 'before its end')
  // The first answer of a pipeline may still be on its way when the second request is sent.
  const behind = chance.pick(expectations) ?? expectations[0]
  const pipeline = secondOfPipeline(chance.pick(origins) ?? '', otherToken, behind.request)
  await pipeline.started
  await end()
  const requests = requestsOf(expectations, checking)
  requests.push({ expectation: behind, how: 'behind another request', send: () => pipeline.sendSecond() })
  const ask = async ({ expectation, how, send }: Sending): Promise<void> => {
    const answer = await send()
    note(answer, expectation.statusAfter, how)
    const stale = answer.status === expectation.statusAfter && (await expectation.staleness?.(answer))
    if (stale) found.push(`${name}, ${how}: ${stale}`)
  }
  if (fact.inTurn === true) for (const request of requests) await ask(request)
  else await Promise.all(requests.map(ask))
  return found
}

interface Sending {
  readonly expectation: Expectation
  readonly how: string
  send(): Promise<Answer>
}

function requestsOf(
  expectations: readonly Expectation[],
  { origins, connections, agent }: Checking,
): Sending[] {
  const ways = [
    { how: 'on a kept-alive connection', by: agent },
    ...Array.from({ length: connections }, () => ({ how: 'on a fresh connection', by: false as const })),
  ]
  return ways.flatMap(({ how, by }) =>
    expectations.flatMap((expectation) =>
      origins.map((origin) => ({ expectation, how, send: () => answerOf(origin, expectation.request, by) })),
    ),
  )
}
