import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Answer } from '../support/client.ts'

/** A client that asks both servers in turn. */
export interface Asking {
  readonly origins: readonly string[]
  /** Called once, while part of the quota is left. */
  readonly setClocks: () => void
}

/** How long it takes until the clocks are set. */
const setMillis = 1_200

/** Calls the API as often, one call after the other. */
export async function callQuota(
  { origins, setClocks }: Asking,
  bearer: string,
  times: number,
): Promise<{ readonly accepted: number; readonly violations: readonly string[] }> {
  const client = createClient(origins)
  const violations: string[] = []
  let accepted = 0
  for (let call = 0; call < times; call += 1) {
    if (call === 40) {
      setClocks()
      await pause(setMillis)
    }
    const answer = await client.ask('GET', '/api/folders', { bearer })
    if (answer?.status === 200) accepted += 1
    else violations.push(...faultsOf(answer, 60))
  }
  client.close()
  return { accepted, violations }
}

/** Gives wrong passwords, one after the other. */
export async function guess(
  { origins }: Asking,
  token: string,
  times: number,
): Promise<{ readonly verified: number; readonly violations: readonly string[] }> {
  const client = createClient(origins)
  const violations: string[] = []
  let verified = 0
  for (let nth = 0; nth < times; nth += 1) {
    // The clocks are set between the guesses as well.
    if (nth === 3) await pause(2 * setMillis)
    const answer = await client.ask('POST', `/${token}`, { body: { password: `wrong ${nth}` } })
    if (answer?.status === 401) verified += 1
    else violations.push(...faultsOf(answer, 1_800))
  }
  client.close()
  return { verified, violations }
}

/** Opens a link as often at the same time. Resolves to how often it was delivered. */
export async function openTogether({ origins }: Asking, token: string, times: number): Promise<number> {
  const client = createClient(origins)
  const answers = await Promise.all(
    Array.from({ length: times }, () => client.ask('POST', `/${token}`, { body: {} })),
  )
  client.close()
  return answers.filter((answer) => answer?.status === 200).length
}

/** What is wrong with a refusal: anything but 429 with a wait that is no longer than a window or lock. */
function faultsOf(answer: Answer | undefined, mostSeconds: number): readonly string[] {
  if (answer?.status !== 429) return [`${answer?.status ?? 'no answer'} instead of 429`]
  const seconds = Number(answer.headers['retry-after'])
  return seconds >= 1 && seconds <= mostSeconds ? [] : [`a refusal asks to wait for ${seconds} seconds`]
}

/** Waits until as many were sent, and a moment longer: another one would be one too many. Resolves to how many were. */
export async function untilSent(
  sent: () => number,
  { messages, withinMillis }: { readonly messages: number; readonly withinMillis: number },
): Promise<number> {
  const until = performance.now() + withinMillis
  while (sent() < messages && performance.now() < until) await pause(50)
  await pause(setMillis)
  return sent()
}
