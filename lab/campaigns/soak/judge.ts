/** What was seen in one window of time. */
export interface Sample {
  /** The end of the sample, in minutes since the beginning. */
  readonly minute: number
  /** Resident memory of the server. */
  readonly memoryMebibytes: number
  readonly descriptors: number
  /** The write-ahead log of the database. */
  readonly logMebibytes: number
  /** The median time of the answers to short requests. */
  readonly p50Millis: number
  readonly p99Millis: number
}

export interface Judgement {
  readonly trend: Readonly<Record<string, string>>
  /** A sentence for each observation that contradicts the promises. */
  readonly violations: readonly string[]
}

/** While the heap and the caches grow to their size. */
const warmUpMinutes = 10
const slopeMaxMebibytesPerHour = 1
const logMaxMebibytes = 64
/** A connection that is made anew, or a file of a command that runs beside the load, is open for a moment. */
const descriptorsMore = 5
/** How much slower the answers of the last third may be than those of the first one. */
const slowerMax = 1.25

/** What a run says about memory, descriptors, log and answer times after the first ten minutes. */
export function judge(samples: readonly Sample[]): Judgement {
  const counted = samples.filter(({ minute }) => minute > warmUpMinutes)
  if (counted.length < 6)
    return { trend: {}, violations: ['the run was too short to judge: ten minutes are not counted'] }
  const slope = slopePerHour(lowestOfEachTenth(counted))
  const third = Math.floor(counted.length / 3)
  const [early, late] = [counted.slice(0, third), counted.slice(-third)]
  const times = (part: readonly Sample[]) => median(part.map(({ p99Millis }) => p99Millis))
  const usual = (part: readonly Sample[]) => median(part.map(({ p50Millis }) => p50Millis)).toFixed(1)
  const descriptors = (part: readonly Sample[]) => median(part.map((sample) => sample.descriptors))
  const log = Math.max(...counted.map(({ logMebibytes }) => logMebibytes))
  const slower = times(late) / times(early)
  return {
    trend: {
      memoryMebibytesPerHour: slope.toFixed(2),
      memoryMebibytesAtMost: Math.max(...counted.map((sample) => sample.memoryMebibytes)).toFixed(0),
      descriptorsFirstAndLastThird: `${descriptors(early)} and ${descriptors(late)}`,
      logMebibytesAtMost: log.toFixed(1),
      p50FirstAndLastThird: `${usual(early)} and ${usual(late)} ms`,
      p99FirstAndLastThird: `${times(early).toFixed(1)} and ${times(late).toFixed(1)} ms`,
    },
    violations: [
      ...(slope > slopeMaxMebibytesPerHour ? [`memory grew by ${slope.toFixed(2)} MiB an hour`] : []),
      ...(descriptors(late) > descriptors(early) + descriptorsMore
        ? ['the server has more files and sockets open']
        : []),
      ...(log > logMaxMebibytes ? [`the write-ahead log grew to ${log.toFixed(0)} MiB`] : []),
      ...(slower > slowerMax ? [`answers became ${slower.toFixed(2)} times as slow`] : []),
    ],
  }
}

/** Memory rises between two collections of garbage; what is kept shows in the lowest value of each tenth of the time. */
function lowestOfEachTenth(samples: readonly Sample[]): readonly Sample[] {
  const length = Math.ceil(samples.length / 10)
  const tenths = Array.from({ length: Math.floor(samples.length / length) }, (_, at) =>
    samples.slice(at * length, (at + 1) * length),
  )
  return tenths.map((tenth) =>
    tenth.reduce((lowest, each) => (each.memoryMebibytes < lowest.memoryMebibytes ? each : lowest)),
  )
}

/** The slope of the line of least squares. */
function slopePerHour(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const hour = mean(samples.map(({ minute }) => minute / 60))
  const memory = mean(samples.map(({ memoryMebibytes }) => memoryMebibytes))
  const products = samples.map((each) => (each.minute / 60 - hour) * (each.memoryMebibytes - memory))
  const squares = samples.map((each) => (each.minute / 60 - hour) ** 2)
  return mean(products) / mean(squares)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}
