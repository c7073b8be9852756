import t from 'tap'
import { runSoak } from '../../campaigns/soak/campaign.ts'
import { judge, type Sample } from '../../campaigns/soak/judge.ts'

t.test('every kind of request of a soak is answered as it should be', async (t) => {
  const { samples, figures, failures } = await runSoak({ seconds: 4, percent: 10, windowSeconds: 1 })
  t.strictSame(failures, [])
  for (const kind of ['created', 'opened', 'fetched', 'guessed', 'listed', 'sharedFile'])
    t.ok(figures[kind], kind)
  t.ok(samples.length > 0)
  for (const { memoryMebibytes, descriptors, p50Millis, p99Millis } of samples) {
    t.ok(
      memoryMebibytes > 50 && descriptors > 20 && p50Millis > 0 && p99Millis >= p50Millis,
      'the samples are measured',
    )
  }
})

/** An hour with a sample a minute. */
const hour = (change: (minute: number) => Partial<Sample> = () => ({})): readonly Sample[] =>
  Array.from({ length: 60 }, (_, at) => {
    const steady = {
      memoryMebibytes: 150 + (at % 3),
      descriptors: 90 + (at % 5),
      logMebibytes: 4,
      p50Millis: 2,
      p99Millis: 9,
    }
    return { minute: at + 1, ...steady, ...change(at + 1) }
  })

t.test('a steady hour is no violation, whatever its first ten minutes were', (t) => {
  const warm = hour((minute) =>
    minute <= 10 ? { memoryMebibytes: 300, p99Millis: 99, logMebibytes: 99 } : {},
  )
  t.strictSame(judge(hour()).violations, [])
  t.strictSame(judge(warm).violations, [])
  t.end()
})

t.test('what grows in the course of an hour is a violation', (t) => {
  const found = (change: (minute: number) => Partial<Sample>) => judge(hour(change)).violations.join()
  t.match(
    found((minute) => ({ memoryMebibytes: 150 + minute / 20 })),
    /memory grew by 3\.\d+ MiB an hour/,
  )
  t.match(
    found((minute) => ({ descriptors: 90 + Math.floor(minute / 5) })),
    /more files and sockets/,
  )
  t.match(
    found((minute) => ({ logMebibytes: minute === 40 ? 65 : 4 })),
    /log grew to 65 MiB/,
  )
  t.match(
    found((minute) => ({ p99Millis: minute > 40 ? 12 : 9 })),
    /1\.33 times as slow/,
  )
  t.match(judge(hour().slice(0, 12)).violations.join(), /too short/)
  t.end()
})
