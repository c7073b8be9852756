import { createSeededRandom, type ClockHarness, type RandomHarness } from '@sotto/test-kit'
import { clockHarness, randomHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

const machineMicros = (): number => Date.now() * 1_000

export const brokenClocks: readonly Broken<ClockHarness>[] = [
  clock('is an hour ahead', ['clock/shows-the-wall-clock'], () => machineMicros() + 3_600_000_000),
]

function clock(flaw: string, breaks: readonly string[], nowMicros: () => number): Broken<ClockHarness> {
  return { flaw, breaks, harness: clockHarness(() => ({ nowMicros }), ['wall']) }
}

export const brokenRandoms: readonly Broken<RandomHarness>[] = [
  random('gives one byte too few', ['random/gives-the-number-of-bytes'], (bytes) => bytes.slice(1)),
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
