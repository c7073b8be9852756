import type { Announcement } from '../serving/announcement.ts'
import type { CliError, Ending } from '../errors/errors.ts'
import type { Timers } from '../shared/timers.ts'
import { diskUnsafeExitCode, type FromWorker, type LogLine, type Start, type ToWorker } from './messages.ts'

/** A worker's process, as its primary sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined
  /** Does nothing when the process has ended. */
  send(message: ToWorker): void
  /** Ends it immediately. */
  kill(): void
}

export interface SupervisorOptions {
  /** How many workers there are. */
  readonly size: number
  readonly start: Pick<Start, 'environment' | 'cwd'>
  /** Starts a process, which loads the program and waits for its start message. `ended` is called once. */
  readonly fork: (listeners: {
    readonly received: (message: FromWorker) => void
    readonly ended: (how: Ending) => void
  }) => WorkerProcess
  readonly timers: Timers
}

interface Member {
  readonly number: number
  readonly process: WorkerProcess
  isListening: boolean
  error: CliError | undefined
}

/** How long all workers may take to stop, in milliseconds. Then they are killed. */
const stopMillis = 9_500
/** A worker that has listened for this long has not ended early, in milliseconds. */
const earlyMillis = 10_000
/** Workers that end early in a row are replaced immediately, then after this time in milliseconds, which each further one doubles. */
const delayMillis = { first: 1_000, most: 30_000 }
/** The number of early ends in a row after which the server ends, if no worker is left. */
const earlyEndsMax = 5

/**
 * The workers of a server. All of them load the program at the same time. The first one opens the installation alone, so that what prevents
 * a start is reported once; then the others do. While they start, the end of one of them is the end of the server. From then on each one
 * that ends is replaced, unless the disk failed: then the server ends, as one of a single process does.
 *
 * One worker leads: of those that listen, the one that was started first. When it has ended, the next one leads.
 */
export class Supervisor {
  /** Resolves when all workers listen. */
  readonly announced: Promise<Announcement>
  /** Resolves when the server cannot start or go on. */
  readonly failed: Promise<CliError>
  readonly #options: SupervisorOptions
  /** The members in the order in which they were started. */
  readonly #members = new Set<Member>()
  readonly #unlogged: LogLine[] = []
  readonly #announce: (announcement: Announcement) => void
  readonly #fail: (error: CliError) => void
  #leader: Member | undefined
  #isStarting = true
  #earlyEnds = 0
  /** Called when the last worker has ended. Only while the server stops. */
  #whenEmpty: (() => void) | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    const { promise: announced, resolve: announce } = Promise.withResolvers<Announcement>()
    const { promise: failed, resolve: fail } = Promise.withResolvers<CliError>()
    this.announced = announced
    this.failed = failed
    this.#announce = announce
    this.#fail = fail
    for (let number = 0; number < options.size; number += 1) this.#fork(number)
    const [first] = this.#members
    if (first !== undefined) this.#start(first)
  }

  /** Has a worker write a line of the log: immediately, or when the next one listens. */
  log(line: Omit<LogLine, 'kind'>): void {
    this.#unlogged.push({ kind: 'log', ...line })
    this.#writeLog()
  }

  /** Ends all workers. Resolves when they have ended, within ten seconds. */
  async stop(signal: string): Promise<void> {
    const emptied = new Promise<void>((resolve) => (this.#whenEmpty = resolve))
    for (const { process } of this.#members) process.send({ kind: 'stop', signal })
    this.#options.timers.after(stopMillis, () => {
      for (const { process } of this.#members) process.kill()
    })
    if (this.#members.size > 0) await emptied
  }

  #fork(number: number): Member {
    const member: Member = {
      number,
      process: this.#options.fork({
        received: (message) => this.#receive(member, message),
        ended: (how) => this.#end(member, how),
      }),
      isListening: false,
      error: undefined,
    }
    this.#members.add(member)
    return member
  }

  #start({ process, number }: Member): void {
    process.send({ kind: 'start', ...this.#options.start, number })
  }

  #receive(member: Member, message: FromWorker): void {
    if (message.kind === 'listening') this.#listens(member)
    else if (message.kind === 'announced') {
      this.#isStarting = false
      this.#announce(message.announcement)
    } else if (message.kind === 'failed') {
      member.error = message.error
      if (this.#isStarting) this.#fail(message.error)
    } else if (member !== this.#leader)
      this.#leader?.process.send(message.kind === 'queued' ? { kind: 'wake' } : message)
  }

  #listens(member: Member): void {
    const isFirst = ![...this.#members].some(({ isListening }) => isListening)
    member.isListening = true
    this.#options.timers.after(earlyMillis, () => {
      if (this.#members.has(member)) this.#earlyEnds = 0
    })
    this.#chooseLeader()
    this.#writeLog()
    if (!this.#isStarting) return
    if (isFirst) for (const other of this.#members) if (other !== member) this.#start(other)
    if ([...this.#members].every(({ isListening }) => isListening))
      this.#leader?.process.send({ kind: 'announce' })
  }

  #chooseLeader(): void {
    if (this.#leader !== undefined || this.#whenEmpty !== undefined) return
    this.#leader = [...this.#members].find(({ isListening }) => isListening)
    this.#leader?.process.send({ kind: 'lead' })
  }

  #writeLog(): void {
    const writer = [...this.#members].find(({ isListening }) => isListening)
    if (writer !== undefined) for (const line of this.#unlogged.splice(0)) writer.process.send(line)
  }

  #end(member: Member, how: Ending): void {
    this.#members.delete(member)
    if (this.#leader === member) this.#leader = undefined
    if (this.#whenEmpty !== undefined) {
      if (this.#members.size === 0) this.#whenEmpty()
      return
    }
    this.#chooseLeader()
    this.#earlyEnds += 1
    const isLast = ![...this.#members].some(({ isListening }) => isListening)
    if (how.exitCode === diskUnsafeExitCode) this.#fail({ code: 'disk_unsafe' })
    else if (this.#isStarting || (isLast && this.#earlyEnds > earlyEndsMax))
      this.#fail(member.error ?? { code: 'workers_failed', ...how })
    else this.#replace(member, how)
  }

  #replace({ number, process, error }: Member, how: Ending): void {
    const delay = delayMillis.first * 2 ** (this.#earlyEnds - 2)
    const waitMillis = this.#earlyEnds === 1 ? 0 : Math.min(delay, delayMillis.most)
    const details = { worker: process.pid, ...how, waitMillis, ...(error && { error: error.code }) }
    this.log({ level: 'error', details, message: 'a worker has ended and is replaced' })
    this.#options.timers.after(waitMillis, () => {
      if (this.#whenEmpty === undefined) this.#start(this.#fork(number))
    })
  }
}
