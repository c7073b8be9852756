// Loaded into a server (node --import): from one SIGUSR2 to the next it adds up what the heap grew by between collections, in bytes, and
// writes the sum into the file BENCH_GARBAGE.
import { writeFileSync } from 'node:fs'
import { GCProfiler } from 'node:v8'

let profiler: GCProfiler | undefined

process.on('SIGUSR2', () => {
  if (profiler === undefined) {
    profiler = new GCProfiler()
    profiler.start()
    return
  }
  const { statistics } = profiler.stop()
  profiler = undefined
  const grown = statistics.slice(1).map(({ beforeGC }, at) => {
    const after = statistics[at]?.afterGC.heapStatistics.usedHeapSize ?? NaN
    return beforeGC.heapStatistics.usedHeapSize - after
  })
  const sum = grown.reduce((all, each) => all + each, 0)
  // The first interval and the last one are not whole: together they count as one of the others.
  writeFileSync(process.env['BENCH_GARBAGE'] ?? '', String((sum / grown.length) * statistics.length))
})
