import cluster, { type Worker } from 'node:cluster'
import { Result } from 'neverthrow'
import type { Ending } from '../errors/errors.ts'
import type { SupervisorOptions } from './supervisor.ts'
import type { FromWorker } from './messages.ts'

/**
 * Starts a worker as `cluster` is set up. Never throws: one that cannot be started is reported as ended on a later turn, like one that dies.
 * The system refuses a process in three ways: `fork` throws (`ENOMEM`), an `error` follows (`EAGAIN`), or both an `error` follows and the
 * process has no channel (`EMFILE`).
 */
export const forkWorker: SupervisorOptions['fork'] = ({ received, ended }) => {
  const forked = fork()
  if (forked.isErr()) {
    setImmediate(() => ended(notStarted(forked.error)))
    return { pid: undefined, send: () => undefined, kill: () => undefined }
  }
  const worker = forked.value
  worker.on('message', (message: FromWorker) => received(message))
  // A process that could not be started does not exit. Other errors are no reason to end the primary.
  worker.on('error', (error) => {
    if (worker.process.pid !== undefined) return
    // Nothing else would remove one without a channel from the list of `cluster`.
    if (!worker.process.connected) delete cluster.workers?.[worker.id]
    ended(notStarted(error))
  })
  // What it has sent last may arrive after its end.
  const closed = new Promise((resolve) => worker.once('disconnect', resolve))
  worker.once('exit', (exitCode: number | null, signal: string | null) => {
    void closed.then(() => ended({ exitCode, signal }))
  })
  return {
    pid: worker.process.pid,
    send(message) {
      if (worker.process.pid !== undefined) worker.process.send(message, () => undefined)
    },
    kill: () => void worker.process.kill('SIGKILL'),
  }
}

const fork: () => Result<Worker, NodeJS.ErrnoException> = Result.fromThrowable(
  () => cluster.fork(),
  (error) => error as NodeJS.ErrnoException,
)

function notStarted({ code = 'unknown' }: NodeJS.ErrnoException): Ending {
  return { exitCode: null, signal: null, startError: code }
}
