import { createSeededRandom, type ClockHarness, type RandomHarness } from '@sotto/test-kit'
import { clockHarness, randomHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

const machineMicros = (): number => Date.now() * 1_000

export const brokenClocks: readonly Broken<ClockHarness>[] = [
  clock('shows fractions of a microsecond', ['clock/shows-whole-microseconds'], () => machineMicros() + 0.5),
  clock('shows NaN', ['clock/shows-whole-microseconds', 'clock/counts-from-the-epoch'], () => Number.NaN),
  clock('shows milliseconds', ['clock/counts-from-the-epoch', 'clock/shows-the-wall-clock'], () =>
    Date.now(),
  ),
  clock('shows nanoseconds', ['clock/counts-from-the-epoch'], () => Date.now() * 1_000_000),
  clock('counts from its own start', ['clock/counts-from-the-epoch'], () => performance.now() * 1_000),
  clock('is an hour ahead', ['clock/shows-the-wall-clock'], () => machineMicros() + 3_600_000_000),
]

function clock(flaw: string, breaks: readonly string[], nowMicros: () => number): Broken<ClockHarness> {
  return { flaw, breaks, harness: clockHarness(() => ({ nowMicros }), ['wall']) }
}

export const brokenRandoms: readonly Broken<RandomHarness>[] = [
  random('gives one byte too few', ['random/gives-the-number-of-bytes'], (bytes) => bytes.slice(1)),
  random('gives 1 KiB at most', ['random/gives-the-number-of-bytes'], (bytes) => bytes.slice(0, 1_024)),
  {
    flaw: 'gives the same array each time',
    breaks: ['random/gives-the-callers-own-array'],
    harness: randomHarness((seed) => {
      const real = createSeededRandom(seed)
      const pool = new Uint8Array(65_536)
      return {
        bytes(count) {
          pool.set(real.bytes(count))
          return pool.subarray(0, count)
        },
      }
    }),
  },
  {
    flaw: 'gives the same bytes each time',
    breaks: ['random/does-not-repeat'],
    harness: randomHarness((seed) => ({ bytes: (count) => createSeededRandom(seed).bytes(count) })),
  },
  random('never sets the highest bit', ['random/is-evenly-distributed'], (bytes) =>
    bytes.map((byte) => byte & 127),
  ),
  random('never gives a zero', ['random/is-evenly-distributed'], (bytes) => bytes.map((byte) => byte || 1)),
  {
    flaw: 'starts with the same bytes each time it is opened',
    breaks: ['random/differs-between-generators'],
    harness: randomHarness(() => createSeededRandom(1)),
  },
]

function random(
  flaw: string,
  breaks: readonly string[],
  changed: (bytes: Uint8Array) => Uint8Array,
): Broken<RandomHarness> {
  const harness = randomHarness((seed) => {
    const real = createSeededRandom(seed)
    return { bytes: (count) => changed(real.bytes(count)) }
  })
  return { flaw, breaks, harness }
}
