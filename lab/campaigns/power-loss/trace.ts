import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Report } from './reports.ts'

/** What a process did to files, in the order in which it happened. `fd` is the descriptor that it got for a file. */
export type Event =
  | {
      readonly kind: 'open'
      readonly fd: number
      readonly path: string
      readonly creates: boolean
      readonly truncates: boolean
    }
  | {
      readonly kind: 'write'
      readonly fd: number
      readonly offset: number | undefined
      readonly bytes: Buffer
    }
  | { readonly kind: 'truncate'; readonly fd: number; readonly length: number }
  /** Everything that was written before an fsync began is on the disk when it ends. */
  | { readonly kind: 'sync-begins' | 'sync-ends' | 'close'; readonly fd: number }
  | { readonly kind: 'link' | 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'make-directory' | 'unlink'; readonly path: string }
  | { readonly kind: 'report'; readonly report: Report }

/** The system calls that change files, or make changes durable. */
export const tracedCalls = [
  ...['openat', 'open', 'creat', 'close', 'dup', 'dup2', 'dup3'],
  ...[
    'write',
    'pwrite64',
    'writev',
    'pwritev',
    'pwritev2',
    'ftruncate',
    'truncate',
    'fallocate',
    'copy_file_range',
    'sendfile',
  ],
  ...['fsync', 'fdatasync', 'sync_file_range', 'msync', 'sync', 'syncfs'],
  ...['link', 'linkat', 'unlink', 'unlinkat', 'rename', 'renameat', 'renameat2', 'symlink', 'symlinkat'],
  ...['mkdir', 'mkdirat', 'rmdir'],
]

/**
 * Reads what `strace -f -xx` has recorded of one process. Throws on an unsupported call that concerns files below `directory`: a trace
 * that is only read in part would prove nothing.
 */
export async function readTrace(path: string, directory: string): Promise<Event[]> {
  const reader = new TraceReader(directory)
  for await (const line of createInterface({ input: createReadStream(path) })) reader.line(line)
  return reader.events
}

class TraceReader {
  readonly events: Event[] = []
  readonly #directory: string
  /** The first halves of calls that were interrupted in the trace, by thread. */
  readonly #begun = new Map<string, string>()
  /** Descriptors of files and directories below the directory. */
  readonly #open = new Set<number>()
  /** Directories that were made below the directory, and are still there. */
  readonly #made: Set<string>
  /** The beginning of a line of which the rest was not written yet. */
  #partialLine = ''

  constructor(directory: string) {
    this.#directory = directory
    this.#made = new Set([directory])
  }

  line(line: string): void {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/s.exec(line) ?? []
    if (/^(?:\+\+\+|---)/.test(rest)) return
    const unfinished = / <unfinished \.\.\.>$/.exec(rest)
    if (unfinished !== null) {
      const first = rest.slice(0, unfinished.index)
      this.#begun.set(thread, first)
      this.#begins(first)
      return
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest)
    if (resumed === null) {
      this.#begins(rest)
      this.#ends(rest)
      return
    }
    this.#ends(`${this.#begun.get(thread) ?? ''}${rest.slice(resumed[0].length)}`)
    this.#begun.delete(thread)
  }

  /** Begins a write: the disk may hold it from here on, in part or completely. */
  #begins(text: string): void {
    const { name, args } = callOf(text)
    const fd = Number(args[0])
    if (name === 'write' && fd === 1) this.#readReports(bytesOf(args[1]).toString())
    if (!this.#open.has(fd)) return
    if (name === 'write') this.events.push({ kind: 'write', fd, offset: undefined, bytes: bytesOf(args[1]) })
    if (name === 'pwrite64')
      this.events.push({ kind: 'write', fd, offset: Number(args[3]), bytes: bytesOf(args[1]) })
    if (name === 'ftruncate') this.events.push({ kind: 'truncate', fd, length: Number(args[1]) })
    if (name === 'fsync' || name === 'fdatasync') this.events.push({ kind: 'sync-begins', fd })
    if (name === 'close') this.#closes(fd)
  }

  /** Forgets the descriptor when the call begins: another thread may get the same one before the call has ended in the trace. */
  #closes(fd: number): void {
    this.#open.delete(fd)
    this.events.push({ kind: 'close', fd })
  }

  #ends(text: string): void {
    const { name, args, result } = callOf(text)
    if (name.startsWith('mkdir') && (result === 0 || text.includes(' = -1 EEXIST '))) this.#makes(args)
    if (result < 0 || name === 'exit_group') return
    const fd = Number(args[0])
    if (/^open(?:at)?$/.test(name)) this.#opens(name === 'open' ? args : args.slice(1), result)
    else if (/^(?:rmdir|unlink|link|rename)(?:at2?)?$/.test(name)) this.#names(name, args)
    else if (name === 'close' || !this.#open.has(fd)) return
    else if (name === 'fsync' || name === 'fdatasync') this.events.push({ kind: 'sync-ends', fd })
    else if (name === 'pwrite64' || name === 'write') {
      if (result !== bytesOf(args[1]).length) throw new Error('a write was cut short')
    } else if (name !== 'ftruncate') throw new Error(`${name} is not supported`)
  }

  #opens([path, flags = '']: readonly string[], fd: number): void {
    const opened = this.#below(path)
    if (opened === undefined) return
    this.#open.add(fd)
    const [creates, truncates] = [flags.includes('O_CREAT'), flags.includes('O_TRUNC')]
    this.events.push({ kind: 'open', fd, path: opened, creates, truncates })
  }

  /** A thread may hear that a directory is there before the call of the thread that makes it has ended in the trace. */
  #makes(args: readonly string[]): void {
    const path = this.#below(args.find((arg) => arg.startsWith('"')))
    if (path === undefined || this.#made.has(path)) return
    this.#made.add(path)
    this.events.push({ kind: 'make-directory', path })
  }

  #names(name: string, args: readonly string[]): void {
    const paths = args.filter((arg) => arg.startsWith('"')).map((arg) => this.#below(arg))
    const [path, to] = paths
    if (path === undefined) {
      if (paths.some((other) => other !== undefined)) throw new Error(`${name} from outside is not supported`)
      return
    }
    if (/^(?:unlink|rmdir)/.test(name)) {
      this.#made.delete(path)
      this.events.push({ kind: 'unlink', path })
    } else if (to !== undefined)
      this.events.push({ kind: name.startsWith('link') ? 'link' : 'rename', from: path, to })
    else throw new Error(`${name} to the outside is not supported`)
  }

  #below(quoted = '""'): string | undefined {
    const path = bytesOf(quoted).toString()
    return path === this.#directory || path.startsWith(`${this.#directory}/`) ? path : undefined
  }

  /** A line counts as reported when its last byte is written. */
  #readReports(text: string): void {
    const lines = `${this.#partialLine}${text}`.split('\n')
    this.#partialLine = lines.pop() ?? ''
    for (const line of lines) this.events.push({ kind: 'report', report: JSON.parse(line) as Report })
  }
}

/** Parses `name(arg, arg) = result`, or the first part of it. Only strings contain commas. */
function callOf(text: string): {
  readonly name: string
  readonly args: readonly string[]
  readonly result: number
} {
  const paren = text.indexOf('(')
  const end = text.lastIndexOf(') ')
  const result = end === -1 ? -1 : Number.parseInt(text.slice(text.lastIndexOf('= ') + 2))
  const args = text.slice(paren + 1, end === -1 ? undefined : end).split(', ')
  return { name: text.slice(0, paren), args, result }
}

function bytesOf(quoted = '""'): Buffer {
  if (!quoted.endsWith('"')) throw new Error('a string was cut off')
  return Buffer.from(quoted.slice(1, -1).replaceAll('\\x', ''), 'hex')
}
