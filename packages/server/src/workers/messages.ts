import type { Announcement } from '../serving/announcement.ts'
import type { CliError } from '../errors/errors.ts'
import type { Environment } from '../config/environment.ts'

/** What the primary process tells a worker. */
export type ToWorker =
  | Start
  /** Says where the server listens, once every worker does. */
  | { readonly kind: 'announce' }
  /** This worker sweeps, empties the logs and delivers messages from now on. */
  | { readonly kind: 'lead' }
  /** Another worker has queued messages. */
  | { readonly kind: 'wake' }
  /** Another worker has erased something in this file. */
  | { readonly kind: 'erased'; readonly file: string }
  /** A line for the log: the primary has none of its own. */
  | LogLine
  | { readonly kind: 'stop'; readonly signal: string }

/** What a worker tells the primary process. */
export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'announced'; readonly announcement: Announcement }
  /** The worker ends because of this error. */
  | { readonly kind: 'failed'; readonly error: CliError }
  | { readonly kind: 'queued' }
  | { readonly kind: 'erased'; readonly file: string }

/** How a worker begins. All workers have the settings that the primary has read, also those that are started later. */
export interface Start {
  readonly kind: 'start'
  readonly environment: Environment
  /** The directory that relative paths start from. */
  readonly cwd: string
  /** The number of the worker, from 0. One that replaces another has the number of that. */
  readonly number: number
}

/** The code with which a worker ends whose disk did not keep what was written to it: no other worker can rely on the disk either. */
export const diskUnsafeExitCode = 74

export interface LogLine {
  readonly kind: 'log'
  readonly level: 'warn' | 'error'
  readonly details: object
  readonly message: string
}
