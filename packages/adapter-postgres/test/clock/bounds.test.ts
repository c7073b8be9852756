import t from 'tap'
import { aheadMicros, narrowBounds, type ClockBounds } from '../../src/clock/bounds.ts'

const second = 1_000_000
/** What the database's clock is ahead of the steady clock in most cases. */
const ahead = 1_790_000_000 * second

/** A question that took so long, of which the database showed its time after `backMicros` less than that. */
function sample({
  at = 0,
  tookMicros,
  backMicros,
  aheadMicros = ahead,
}: {
  readonly at?: number
  readonly tookMicros: number
  readonly backMicros: number
  readonly aheadMicros?: number
}) {
  const answeredMicros = at + tookMicros
  return { askedMicros: at, answeredMicros, databaseMicros: answeredMicros - backMicros + aheadMicros }
}

/** What samples one after the other let it know, as far as they are apart from `ahead`. */
function known(...samples: readonly ReturnType<typeof sample>[]) {
  const bounds = samples.reduce<ClockBounds | undefined>(narrowBounds, undefined)
  if (bounds === undefined) throw new TypeError('no sample')
  const { leastMicros, mostMicros } = bounds
  return [leastMicros - ahead, aheadMicros(bounds) - ahead, mostMicros - ahead]
}

const quick = sample({ tookMicros: 1_000, backMicros: 500 })

for (const [what, samples, expected] of [
  ['one sample: the middle of the round trip', [quick], [-500, 0, 500]],
  ['an answer that came back slowly', [sample({ tookMicros: 1_000, backMicros: 900 })], [-900, -400, 100]],
  [
    'a quick answer, then a slow one: the quick one counts, and drift',
    [quick, sample({ at: second, tookMicros: 100_000, backMicros: 90_000 })],
    [-500 - 549.5, 0, 500 + 549.5],
  ],
  [
    'a slow answer, then a quick one: the quick one counts',
    [
      sample({ tookMicros: 100_000, backMicros: 90_000 }),
      sample({ at: second, tookMicros: 1_000, backMicros: 500 }),
    ],
    [-500, 0, 500],
  ],
  [
    'answers that were slow in opposite directions: where they agree',
    [sample({ tookMicros: 1_000, backMicros: 900 }), sample({ tookMicros: 1_000, backMicros: 100 })],
    [-100, 0, 100],
  ],
  [
    'after a minute an older sample says nothing that a usual one does not say',
    [quick, sample({ at: 60 * second, tookMicros: 2_000, backMicros: 1_000 })],
    [-1_000, 0, 1_000],
  ],
  [
    "the database's clock was set forward: the latest sample alone counts",
    [quick, sample({ tookMicros: 1_000, backMicros: 500, aheadMicros: ahead + 600 * second })],
    [600 * second - 500, 600 * second, 600 * second + 500],
  ],
  [
    "the database's clock was set back: the latest sample alone counts",
    [quick, sample({ tookMicros: 1_000, backMicros: 500, aheadMicros: ahead - 600 * second })],
    [-600 * second - 500, -600 * second, -600 * second + 500],
  ],
] as const) {
  t.test(what, (t) => {
    t.strictSame(known(...samples).map(Math.round), expected.map(Math.round))
    t.end()
  })
}
