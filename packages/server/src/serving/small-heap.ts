import { smallGrowth } from '../installation/heap-growth.ts'

/**
 * Each half of V8's young generation grows to 32 MiB by default, and the old one to several times of what is in use before its garbage is
 * collected. Long lists make much garbage: the server would take three times the memory. A smaller young generation would cost more
 * processor time: with halves of 4 MiB a create takes half as long again.
 *
 * V8 would also put objects into the old generation immediately where earlier ones of their kind have lived long. Under load it takes parts
 * of requests for such objects. They are garbage a moment later, but they keep the rest of their requests until the old generation is
 * collected. In every second or third process a get took half as long again, for as long as the process ran.
 */
export const smallHeapOptions = [
  '--max-semi-space-size=8',
  smallGrowth,
  '--no-allocation-site-pretenuring',
] as const

/** The releases of Node.js of which it is known that they take these options. */
const knownReleases = ['24', '26']

/**
 * Starts the program again, in the same process, with a heap that stays small. V8 reads the size of the young generation before any code
 * runs, so `v8.setFlagsFromString` is too late, and options beside the program would not reach every way to start it. Returns if the
 * operator or the first start has set the size, and if this release of Node.js does not take the options. It also returns if the process
 * cannot be replaced: on Windows, or when a parent has a channel to it.
 */
export function restartWithSmallHeap(): void {
  const { argv, env, execArgv, execPath, execve, platform } = process
  if (platform === 'win32' || process.send !== undefined) return
  const options = smallHeapArguments()
  if (options.length > execArgv.length) execve?.(execPath, [execPath, ...options, ...argv.slice(1)], env)
}

/** The arguments of this process for Node.js, with those for a small heap where nobody has set its size. */
export function smallHeapArguments(): string[] {
  const isChanged = !isHeapSizeSet() && takesOptions()
  return isChanged ? [...smallHeapOptions, ...process.execArgv] : [...process.execArgv]
}

function isHeapSizeSet(): boolean {
  const given = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ')
  return given.replaceAll('_', '-').includes('--max-semi-space-size')
}

/** Node.js does not start with an option that its V8 does not know, so a process of an unknown release is asked first. */
function takesOptions(): boolean {
  const { execPath, versions } = process
  if (knownReleases.some((release) => versions.node.startsWith(`${release}.`))) return true
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  return spawnSync(execPath, [...smallHeapOptions, '--version'], { stdio: 'ignore' }).status === 0
}
