// Puts load on a server. A separate process that gets its loads as messages.
import { setTimeout as pause } from 'node:timers/promises'
import { openConnection, type Connection } from './connection.ts'
import { templateOf, type Template } from './fresh.ts'
import type { Failure, Load, Outcome } from './protocol.ts'

process.on('message', (loads: readonly Load[]) => {
  void Promise.all(loads.map(run)).then(
    (outcomes) => process.send?.(outcomes),
    (error: unknown) => process.send?.({ failure: String(error) } satisfies Failure),
  )
})
process.on('disconnect', () => process.exit(0))

async function run(load: Load): Promise<Outcome> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection(load.port)),
  )
  const latencies: number[] = []
  const templates = load.requests.map(templateOf)
  const start = performance.now()
  const end = start + load.millis
  await Promise.all(
    connections.map((connection, nr) => keepBusy(connection, nr, { load, templates, end, latencies })),
  )
  const seconds = (performance.now() - start) / 1000
  for (const connection of connections) connection.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.ceil(latencies.length * share) - 1] ?? NaN
  const bytes = connections.reduce((sum, connection) => sum + connection.bytes(), 0)
  const requests = latencies.length
  return { requests, rate: requests / seconds, p50: at(0.5), p99: at(0.99), max: at(1), bytes }
}

interface Run {
  readonly load: Load
  readonly templates: readonly Template[]
  /** When the last request is sent. */
  readonly end: number
  readonly latencies: number[]
}

async function keepBusy(
  connection: Connection,
  nr: number,
  { load: { expect, connections, contains, pauseMillis }, templates, end, latencies }: Run,
): Promise<void> {
  for (let turn = nr; ; turn += connections) {
    const sent = performance.now()
    if (sent >= end) return
    const status = await connection.request(templates[turn % templates.length]?.() ?? '', contains)
    latencies.push(performance.now() - sent)
    if (status !== expect) throw new Error(`status ${status} instead of ${expect}`)
    if (pauseMillis !== undefined) await pause(pauseMillis)
  }
}
