import fc from 'fast-check'
import { expectOk } from '@sotto/test-kit'
import { steps, type Step } from './inputs.ts'
import { doStep } from './steps.ts'
import { startVisit } from './visit.ts'
import { startWorld, type World } from './world.ts'

export interface PagesCampaignOptions {
  /** The approximate number of requests. */
  readonly requests: number
  readonly seed: number
  /** Changes the server before it is used: the campaign must notice. What it finds is not made smaller. */
  readonly spoil?: ((world: World) => World) | undefined
}

export interface PagesCampaign {
  readonly figures: Readonly<Record<string, number>>
  /** The first series of steps after which something was not as promised, made as small as it could be. */
  readonly violations: readonly string[]
}

/** The approximate number of requests that one series of steps makes. */
const requestsOfSeries = 25

/** Uses the owner's pages as browsers do, as attackers do, and as nobody does. */
export async function runPagesCampaign({
  requests,
  seed,
  spoil,
}: PagesCampaignOptions): Promise<PagesCampaign> {
  const started = await startWorld()
  const world = spoil?.(started) ?? started
  const figures: Record<string, number> = {}
  try {
    const until = boundShrinking()
    const property = fc.asyncProperty(steps, (series) => until(() => doSeries(world, figures, series)))
    const numRuns = Math.max(1, Math.round(requests / requestsOfSeries))
    const result = await fc.check(property, { numRuns, seed, endOnFailure: spoil !== undefined })
    return { figures, violations: result.failed ? [reportOf(result)] : [] }
  } finally {
    await started.close()
  }
}

/** How long a series that failed is made smaller, in milliseconds. */
const shrinkMillis = 8_000

function boundShrinking(): (work: () => Promise<void>) => Promise<void> {
  let failedAt: number | undefined
  return async (work) => {
    if (failedAt !== undefined && performance.now() - failedAt > shrinkMillis) return
    try {
      await work()
    } catch (error) {
      failedAt ??= performance.now()
      throw error
    }
  }
}

function reportOf({ errorInstance, counterexample }: fc.RunDetails<[readonly Step[]]>): string {
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  const [series = []] = counterexample ?? []
  return [message, ...series.map((step) => `  ${JSON.stringify(step).slice(0, 240)}`)].join('\n')
}

async function doSeries(
  world: World,
  figures: Record<string, number>,
  series: readonly Step[],
): Promise<void> {
  const visit = await startVisit(world, figures)
  world.log.length = 0
  for (const step of series) await doStep(visit, step)
  checkLog(world.log, [...visit.owner.hidden, ...visit.owner.confidential, ...visit.other.confidential])
  // Or the database would grow from one series to the next.
  for (const { accountId } of [visit.owner, visit.other])
    expectOk(await world.sotto.deleteAccount({ accountId }))
}

/** No error of the server, and nothing confidential. */
function checkLog(written: readonly string[], absent: readonly string[]): void {
  // Several lines may be written together.
  for (const line of written.join('').trimEnd().split('\n')) {
    if (line === '') continue
    if (Number((JSON.parse(line) as { level: unknown }).level) >= 50) throw new Error(`in the log: ${line}`)
    const found = absent.find((text) => line.includes(text))
    if (found !== undefined) throw new Error(`the log has ${found}: ${line}`)
  }
}
