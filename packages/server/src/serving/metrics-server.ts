import Fastify from 'fastify'
import { err, ok, ResultAsync } from 'neverthrow'
import type { Installation } from '../installation/installation.ts'
import { notListening } from './server.ts'
import type { ServerError } from '../errors/errors.ts'
import { metricsType, type Metrics } from '../metrics/metrics.ts'

/** The HTTP server of `/metrics`, apart from that of the service. */
export interface MetricsServer {
  stop(): Promise<void>
}

/** Serves `/metrics` for Prometheus on a port of its own, which no client of the service needs to reach. */
export function startMetricsServer(
  installation: Pick<Installation, 'settings' | 'storage' | 'ports'>,
  { metrics, port }: { readonly metrics: Metrics; readonly port: number },
): ResultAsync<MetricsServer, ServerError> {
  const app = Fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true })
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/plain').send('Only /metrics is here.\n'),
  )
  app.get('/metrics', async (_request, reply) =>
    reply.type(metricsType).send(await metrics.text(installation)),
  )
  const stop = (): Promise<void> => app.close()
  const { host } = installation.settings
  return ResultAsync.fromPromise(app.listen({ host, port }), (error) =>
    notListening(error, 'SOTTO_METRICS_PORT'),
  )
    .orElse((error) => ResultAsync.fromSafePromise(stop()).andThen(() => err(error)))
    .andThen(() => ok({ stop }))
}
