import { findFreePort } from '@sotto/system'
import { expectOk } from '@sotto/test-kit'
import type { Test } from 'tap'
import { startMetricsServer } from '../../src/serving/metrics-server.ts'
import { createMetrics, type Metrics } from '../../src/metrics/metrics.ts'
import { startServer } from '../../src/serving/server.ts'
import { openIn, type OpenOptions } from './installation.ts'

/** A server that measures, on an installation of its own, and its page of metrics. */
export async function startMeasuredServer(t: Test, options: OpenOptions = {}) {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const origin = `http://127.0.0.1:${port}`
  const env = { SOTTO_PORT: String(port), SOTTO_METRICS_PORT: String(metricsPort), SOTTO_BASE_URL: origin }
  const metrics: Metrics = createMetrics()
  const installation = await openIn(t.testdir(), { ...options, metrics, env: { ...env, ...options.env } })
  const log: string[] = []
  const logStream = { write: (line: string) => void log.push(line) }
  const page = expectOk(await startMetricsServer(installation, { metrics, port: metricsPort }))
  const server = expectOk(
    await startServer({ installation, logStream, stopMillis: 200, onAnswer: metrics.answered }),
  )
  t.teardown(async () => {
    await Promise.all([server.stop(), page.stop()])
    await installation.close()
  })
  const metricsOrigin = `http://127.0.0.1:${metricsPort}`
  return {
    installation,
    origin,
    port,
    metricsOrigin,
    log,
    scrape: async () => (await fetch(`${metricsOrigin}/metrics`)).text(),
  }
}

/** The series of a scrape with their values; a series is a name with its labels. */
export function seriesOf(scrape: string): ReadonlyMap<string, number> {
  const lines = scrape.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** The names of everything that a scrape describes, those of its series included. */
export function namesIn(scrape: string): ReadonlySet<string> {
  const types = [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )
}
