import type { Sotto } from '@sotto/core'
import { folderOf } from './folder.ts'

/** What your queue holds: somebody wants to hand over a text. */
export interface Job {
  readonly user: string
  readonly label: string
  readonly note: string
  readonly attempts?: number
}

export interface WorkerOptions {
  readonly sotto: Sotto
  /** Stands for your queue. */
  readonly queue: Job[]
  /** Passes the token of the link on, such as in a mail. */
  readonly onShared: (job: Job, token: string) => void
  /** Gets the jobs that cannot succeed. The code says why, and neither contains the note. */
  readonly onFailed: (label: string, code: string) => void
}

const attemptsMax = 5

/**
 * Works until the queue is empty, then erases what has expired. Errors are values: `code` decides what is tried again. A job that a crash
 * interrupts may be done twice: the second time makes a second link, and the first one expires unseen.
 */
export async function work({ sotto, queue, onShared, onFailed }: WorkerOptions): Promise<void> {
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
    const { user, label, note, attempts = 1 } = job
    const { accountId, folderId } = await folderOf(sotto, user)
    const created = await sotto.createSecret({ accountId, folderId, label, note, openLimit: 1 })
    if (created.isOk()) onShared(job, created.value.link.token)
    else if (isTemporary(created.error.code) && attempts < attemptsMax)
      queue.push({ ...job, attempts: attempts + 1 })
    else onFailed(label, created.error.code)
  }
  const swept = await sotto.sweepExpired()
  if (swept.isErr()) onFailed('sweep', swept.error.code)
}

/** Whether the same call may succeed later. */
function isTemporary(code: string): boolean {
  return code === 'storage_unavailable' || code === 'hasher_busy'
}
