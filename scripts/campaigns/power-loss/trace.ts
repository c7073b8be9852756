import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Told } from './story.ts'

/** What a process did to files, in the order in which it happened. `file` is a number for what was opened. */
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
  /** What was written before the beginning of an fsync is on the disk at its end. */
  | { readonly kind: 'sync-begins' | 'sync-ends' | 'close'; readonly fd: number }
  | { readonly kind: 'link' | 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'make-directory' | 'unlink'; readonly path: string }
  | { readonly kind: 'told'; readonly told: Told }

/** The system calls that change files, or say that changes are safe. */
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
 * Reads what `strace -f -xx` has written of one process. Throws on a call that it does not understand, if it concerns the files
 * below `directory`: a trace that is read in part would prove nothing.
 */
export async function readTrace(path: string, directory: string): Promise<Event[]> {
  const reader = new TraceReader(directory)
  for await (const line of createInterface({ input: createReadStream(path) })) reader.line(line)
  return reader.events
}

class TraceReader {
  readonly events: Event[] = []
  readonly #directory: string
  /** Calls that others came between, by thread: their first half. */
  readonly #begun = new Map<string, string>()
  /** Descriptors of files and directories below the directory. */
  readonly #open = new Set<number>()
  #heard = ''

  constructor(directory: string) {
    this.#directory = directory
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

  /** From here on a write may be on the disk, in part or whole. */
  #begins(text: string): void {
    const { name, args } = callOf(text)
    const fd = Number(args[0])
    if (name === 'write' && fd === 1) this.#hear(bytesOf(args[1]).toString())
    if (!this.#open.has(fd)) return
    if (name === 'write') this.events.push({ kind: 'write', fd, offset: undefined, bytes: bytesOf(args[1]) })
    if (name === 'pwrite64')
      this.events.push({ kind: 'write', fd, offset: Number(args[3]), bytes: bytesOf(args[1]) })
    if (name === 'ftruncate') this.events.push({ kind: 'truncate', fd, length: Number(args[1]) })
    if (name === 'fsync' || name === 'fdatasync') this.events.push({ kind: 'sync-begins', fd })
  }

  #ends(text: string): void {
    const { name, args, result } = callOf(text)
    if (result < 0 || name === 'exit_group') return
    const fd = Number(args[0])
    if (/^open(?:at)?$/.test(name)) this.#opens(name === 'open' ? args : args.slice(1), result)
    else if (/^(?:mkdir|unlink|link|rename)(?:at2?)?$/.test(name)) this.#names(name, args)
    else if (!this.#open.has(fd)) return
    else if (name === 'close') {
      this.#open.delete(fd)
      this.events.push({ kind: 'close', fd })
    } else if (name === 'fsync' || name === 'fdatasync') this.events.push({ kind: 'sync-ends', fd })
    else if (name === 'pwrite64' || name === 'write') {
      if (result !== bytesOf(args[1]).length) throw new Error('a write was cut short')
    } else if (name !== 'ftruncate') throw new Error(`${name} is not understood`)
  }

  #opens([path, flags = '']: readonly string[], fd: number): void {
    const opened = this.#below(path)
    if (opened === undefined) return
    this.#open.add(fd)
    const [creates, truncates] = [flags.includes('O_CREAT'), flags.includes('O_TRUNC')]
    this.events.push({ kind: 'open', fd, path: opened, creates, truncates })
  }

  #names(name: string, args: readonly string[]): void {
    const paths = args.filter((arg) => arg.startsWith('"')).map((arg) => this.#below(arg))
    const [path, to] = paths
    if (path === undefined) {
      if (paths.some((other) => other !== undefined))
        throw new Error(`${name} from outside is not understood`)
      return
    }
    if (name.startsWith('mkdir')) this.events.push({ kind: 'make-directory', path })
    else if (name.startsWith('unlink')) this.events.push({ kind: 'unlink', path })
    else if (to !== undefined)
      this.events.push({ kind: name.startsWith('link') ? 'link' : 'rename', from: path, to })
    else throw new Error(`${name} to the outside is not understood`)
  }

  #below(quoted = '""'): string | undefined {
    const path = bytesOf(quoted).toString()
    return path === this.#directory || path.startsWith(`${this.#directory}/`) ? path : undefined
  }

  /** A line is told when its last byte is. */
  #hear(text: string): void {
    const lines = `${this.#heard}${text}`.split('\n')
    this.#heard = lines.pop() ?? ''
    for (const line of lines) this.events.push({ kind: 'told', told: JSON.parse(line) as Told })
  }
}

/** `name(arg, arg) = result`; of an unfinished call only what is there. No argument but a string has a comma in it. */
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
