import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A request that is sent again and again, to learn what others wait. */
export interface Short {
  readonly url: string
  readonly token: string
}

/** Sends requests until the server's code is compiled, as that of a server which has run for a while. */
export async function warmUp(short: Short): Promise<void> {
  for (const keepAlive of [false, true]) {
    const agent = new Agent({ keepAlive, maxSockets: 8 })
    await Promise.all(Array.from({ length: 3_000 }, () => millisOf(short, agent)))
    agent.destroy()
  }
}

/** Milliseconds of requests that begin every 20 ms, whether or not the earlier ones have ended. Without an agent each has a connection of its own. */
export async function pace(
  continues: () => boolean,
  short: Short,
  agent: Agent | false,
): Promise<readonly number[]> {
  const calls: Promise<number>[] = []
  while (continues()) {
    calls.push(millisOf(short, agent))
    await pause(20)
  }
  return Promise.all(calls)
}

function millisOf({ url, token }: Short, agent: Agent | false): Promise<number> {
  const began = performance.now()
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) =>
      response.resume().on('end', () => resolve(performance.now() - began)),
    )
    sent.on('error', () => resolve(Infinity)).end()
  })
}

/** The most memory that a process has used, in MiB. */
export function memoryOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

export function partOf(millis: readonly number[], part: number): number {
  const sorted = millis.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Infinity
}

export function shown(millis: readonly number[]): string {
  const [median, most, longest] = [0.5, 0.99, 1].map((part) => partOf(millis, part).toFixed(1))
  return `median ${median} ms, p99 ${most} ms, longest ${longest} ms (${millis.length} requests)`
}
