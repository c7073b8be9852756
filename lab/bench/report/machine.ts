import { cpus, release, totalmem } from 'node:os'
import { canPin } from '../processes/program.ts'

/** The machine and the versions that a run used, in words. */
export function machine(): string {
  const [{ model } = { model: 'unknown processor' }, ...others] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const system = `${process.platform} ${release()}`
  const pinned = canPin ? 'server and load generator on a processor each' : 'processors not assigned'
  return `${others.length + 1} × ${model.trim()}, ${memory} GiB, ${system}, Node.js ${process.versions.node}; ${pinned}`
}
