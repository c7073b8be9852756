// One of several processes that compete for one link, or for one bucket of the quota. Each line on standard input asks for a load; the
// answer is one line. argument: directory
import { createInterface } from 'node:readline'
import { openSecret } from '@sotto/core'
import { openPlace, placeIn } from '../../campaigns/support/place.ts'
import { givenDatabase } from '../../campaigns/support/postgres.ts'

export interface LoadRequest {
  readonly kind: 'open' | 'take'
  /** The token of a link, or a bucket. */
  readonly target: string
  readonly inFlight: number
  readonly millis: number
}

export interface LoadAnswer {
  readonly calls: number
  /** What this process has worked, in milliseconds of a processor. */
  readonly worked: number
}

const { ports, close } = await openPlace(placeIn(process.argv[2] ?? '', givenDatabase()))
const limits = { perMinute: 1_000_000_000, perDay: 1_000_000_000 }
process.stdout.write('{"ready":true}\n')
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  void run(JSON.parse(line) as LoadRequest).then((answer) =>
    process.stdout.write(`${JSON.stringify(answer)}\n`),
  )
})
lines.on('close', () => void close().then(() => process.exit(0)))

async function run({ kind, target, inFlight, millis }: LoadRequest): Promise<LoadAnswer> {
  const end = performance.now() + millis
  const before = process.cpuUsage()
  let calls = 0
  const call = async (): Promise<boolean> => {
    const called =
      kind === 'open'
        ? await openSecret(ports, { token: target })
        : await ports.quota.take(target, ports.clock.nowMicros(), limits)
    return called.isOk()
  }
  const keepCalling = async (): Promise<void> => {
    while (performance.now() < end) if (await call()) calls += 1
  }
  await Promise.all(Array.from({ length: inFlight }, keepCalling))
  const { user, system } = process.cpuUsage(before)
  return { calls, worked: (user + system) / 1_000 }
}
