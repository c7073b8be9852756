/** How much two samples differ. */
export interface Difference {
  /** The difference of the means, in the samples' unit. */
  readonly difference: number
  /** Welch's t statistic: the difference in standard errors. */
  readonly t: number
}

/** The |t| from which two samples count as different: chance alone exceeds it once in 150,000 comparisons. */
export const differentFrom = 4.5

/** The parts of all values that are compared, from 0 to 1: the less else a machine does, the more the larger ones show. */
const keptParts = [0.1, 0.5, 0.9]

/** The fewest values whose mean says anything. */
const fewest = 30

/**
 * Compares samples by Welch's t test, without the slowest of both: those above one common bound, so that what disturbs some requests does
 * not hide what all of them show. Of several bounds the one with the largest |t| counts.
 */
export function compare(one: readonly number[], other: readonly number[]): Difference {
  return keptParts
    .flatMap((kept) => compareFastest(one, other, kept) ?? [])
    .reduce((a, b) => (Math.abs(b.t) > Math.abs(a.t) ? b : a))
}

/** `undefined` when hardly any value of the one sample is among the fastest. */
function compareFastest(
  one: readonly number[],
  other: readonly number[],
  kept: number,
): Difference | undefined {
  const all = [...one, ...other].toSorted((a, b) => a - b)
  const bound = all[Math.ceil(all.length * kept) - 1] ?? Infinity
  const [a, b] = [one, other].map((values) => momentsOf(values.filter((value) => value <= bound)))
  if (a === undefined || b === undefined) throw new TypeError('two samples are compared')
  if (Math.min(a.count, b.count) < fewest) return undefined
  const difference = a.mean - b.mean
  return { difference, t: difference / Math.sqrt(a.variance / a.count + b.variance / b.count) }
}

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count: values.length, mean, variance: squares / (values.length - 1) }
}
