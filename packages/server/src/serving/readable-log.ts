import { printable } from '../shared/printable.ts'

interface LogStream {
  write(text: string): void
}

interface MaybeTerminal {
  readonly isTTY?: boolean | undefined
}

/** The names of pino's levels. */
const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
}

/** What pino writes. The process and the machine of an entry are left out: a person at a terminal knows them. */
interface Entry extends Readonly<Record<string, unknown>> {
  readonly time: string
  readonly level: number
  readonly msg?: string
}

/** Where `serve` writes its log: JSON on standard error, or lines for people where that and standard output are a terminal. */
export function logStreamOf({
  stdout,
  stderr,
}: {
  readonly stdout: MaybeTerminal
  readonly stderr: LogStream & MaybeTerminal
}): LogStream {
  return stdout.isTTY === true && stderr.isTTY === true ? readableLog(stderr) : stderr
}

/** A log for people: a line for each entry, with the time of day (UTC), the level, the message, and what else is known. */
export function readableLog(terminal: LogStream): LogStream {
  return {
    write(lines) {
      const entries = lines.split('\n').filter((line) => line !== '')
      terminal.write(entries.map((line) => `${readableLine(line)}\n`).join(''))
    },
  }
}

function readableLine(line: string): string {
  const { time, level, msg = '', pid: _, hostname: __, ...rest } = JSON.parse(line) as Entry
  const details = Object.entries(rest).map(([name, value]) => `${name}=${detailText(value)}`)
  const start = `${time.slice(11, 19)} ${(levels[level] ?? String(level)).padEnd(7)}`
  return printable([start, msg, ...details].join(' ').trimEnd())
}

function detailText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
