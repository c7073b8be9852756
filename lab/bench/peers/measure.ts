import { measureInRounds, type Measured, type RoundsOptions } from '../measure/rounds.ts'
import type { Scenario } from '../measure/scenarios.ts'
import type { Service, ServiceName } from './service.ts'

export type PeersMeasured = Measured<ServiceName>

const connections = [1, 64]

/** Measures creates and opens of all services in the same rounds. Rejects when an answer is not what it must be. */
export function measurePeers(
  services: readonly Service[],
  options: Omit<RoundsOptions, 'servers'>,
): Promise<PeersMeasured[]> {
  const scenarios = (['create', 'open'] as const).flatMap((kind) =>
    services.map((service): Scenario<ServiceName> => {
      const { name: subject } = service
      return { name: kind, title: kind, subject, connections, ...service[kind] }
    }),
  )
  const servers = Object.fromEntries(services.map(({ name, port, pid = NaN }) => [name, { port, pid }]))
  return measureInRounds(scenarios, {
    ...options,
    servers: servers as RoundsOptions<ServiceName>['servers'],
  })
}
