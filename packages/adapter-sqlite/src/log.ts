/** What an operator should know. `fields` never hold anything that was confided. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number>>,
) => void

/** Ends the process, because the disk cannot be trusted any more. What returns leaves a storage that refuses every write. */
export type OnFatal = (error: unknown) => void

export const silent: Log = () => undefined

/** Ends the process at once, with the exit code for an input/output error (sysexits.h: EX_IOERR). */
export const exitProcess: OnFatal = () => process.exit(74)
