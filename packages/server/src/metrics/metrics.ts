import type { Meter } from '@sotto/core'
import type { GivenAnswer } from '@sotto/http-fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { readVersion } from '../version.ts'
import { createInstruments, type Instruments } from './instruments.ts'
import { createMeter } from './meter.ts'
import { createReadings, type Readable } from './readings.ts'

/** What a process measures of itself, in the form of Prometheus. */
export interface Metrics {
  /** The meter of the adapters. */
  readonly meter: Meter
  /** The instruments for the seam in measure.ts. */
  readonly instruments: Instruments
  /** Counts an answer. */
  answered(answer: GivenAnswer): void
  /** Everything that was measured, with what is read from the installation at this moment. Never rejects. */
  text(installation: Readable): Promise<string>
}

/** The media type of {@link Metrics.text}. */
export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE

/** Gauges of the library whose names are those of counters. The gauges without `_total` say the same by type. */
const misnamed = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`)

/** Starts to measure. Loaded only where somebody wants to know: see SOTTO_METRICS_PORT. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const instruments = createInstruments(registry)
  instruments.info.set({ version: readVersion() }, 1)
  const { meter, readGauges } = createMeter(instruments)
  const read = createReadings(instruments)
  return {
    meter,
    instruments,
    answered({ method, route = 'none', status, millis }) {
      const where = { method: methodLabel(method), route }
      instruments.requests.inc({ ...where, status: status ?? 'none' })
      instruments.requestSeconds.observe(where, millis / 1_000)
    },
    async text(installation) {
      readGauges()
      await read(installation)
      return registry.metrics()
    },
  }
}

/** A label is never what a caller sent: a caller may send any method. */
function methodLabel(method: string | undefined): string {
  if (method === undefined) return 'none'
  if (method === 'HEAD') return 'GET'
  return method === 'GET' || method === 'POST' ? method : 'other'
}
