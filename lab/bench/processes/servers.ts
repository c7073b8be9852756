import { join, resolve } from 'node:path'
import { placesOf } from '../stores/store.ts'
import { findFreePort } from '@sotto/system'
import { smallHeapOptions } from '@sotto/server'
import { startProgram, type Program, type ProgramOptions } from './program.ts'

const root = resolve(import.meta.dirname, '../../..')
/** The output of `pnpm build`, which is what is published. */
export const builtServer = join(root, 'packages/server/dist/sotto.js')

/** Requests a day for the account that uses up its quota: the window of a day outlasts the run. */
export const smallQuota = 60

export interface Server extends Program {
  readonly port: number
}

export interface ServerOptions extends Pick<ProgramOptions, 'under'> {
  /** 0 by default. */
  readonly processor?: ProgramOptions['processor']
  /** The directory of a store. */
  readonly directory: string
  /** Whether the quota is too large to matter, or small enough to be used up. Everything else is as published. */
  readonly freeOfQuota: boolean
  /** Whether it has the options of V8 on its command line, as in the unit and the image. Otherwise it starts itself again with them. */
  readonly isShipped?: boolean
  /** Where the log goes: nowhere by default, because a line for each request, and what it is written to, would be measured, too. */
  readonly log?: ProgramOptions['log']
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>
  /** Another build than this one. */
  readonly program?: string
}

export async function startServer({
  program = builtServer,
  isShipped = false,
  ...options
}: ServerOptions): Promise<Server> {
  return start([...(isShipped ? smallHeapOptions : []), program, 'serve'], options)
}

/** The straight line, which takes the settings of a server, on data that a server has made. */
export async function startStraightLine(options: ServerOptions): Promise<Server> {
  const database = options.settings?.['SOTTO_DATABASE_URL'] === undefined ? 'sqlite' : 'postgres'
  const program = join(import.meta.dirname, `../ceilings/straight-line/${database}.ts`)
  // The server sets this for itself.
  const growth = database === 'postgres' ? ['--heap-growing-percent=100'] : []
  return start([...smallHeapOptions, ...growth, program], options)
}

async function start(
  args: readonly string[],
  {
    directory,
    freeOfQuota,
    settings,
    log = 'ignore',
    ...options
  }: Omit<ServerOptions, 'program' | 'isShipped'>,
): Promise<Server> {
  const port = await findFreePort()
  const quota = freeOfQuota
    ? { SOTTO_LIMIT_PER_MINUTE: '1000000', SOTTO_LIMIT_PER_DAY: '1000000000' }
    : { SOTTO_LIMIT_PER_MINUTE: '60', SOTTO_LIMIT_PER_DAY: String(smallQuota) }
  const env = {
    NODE_ENV: 'production',
    SOTTO_PORT: String(port),
    ...placesOf(directory),
    ...quota,
    ...settings,
  }
  return { ...(await startProgram({ args, env, processor: 0, log, ...options })), port }
}
