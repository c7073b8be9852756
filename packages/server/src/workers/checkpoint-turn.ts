import type { CheckpointTurn } from '../installation/storage-driver.ts'
import { systemTimers, type Timers } from '../shared/timers.ts'

/** Whether it is this worker's turn to empty the logs of the databases. */
export interface WorkerCheckpointTurn extends CheckpointTurn {
  /** Gives this process the turn from now on, and empties what others have left. */
  take(): void
  /** Tells that another worker has erased something in this file. */
  passed(file: string): void
}

/** How long erasures are gathered before one message about all of them is sent. Whoever gets it waits for a second. */
const gatherMillis = 100

/** @param tell tells whoever's turn it is that something was erased in this file */
export function createCheckpointTurn(
  tell: (file: string) => void,
  timers: Timers = systemTimers,
): WorkerCheckpointTurn {
  const listeners = new Map<string, () => void>()
  const gathered = new Set<string>()
  let isMine = false
  const tellAll = (): void => {
    for (const file of gathered) tell(file)
    gathered.clear()
  }
  return {
    isMine: () => isMine,
    pass(file) {
      if (gathered.size === 0) timers.after(gatherMillis, tellAll)
      gathered.add(file)
    },
    onPassed: (file, listener) => void listeners.set(file, listener),
    take() {
      isMine = true
      for (const listener of listeners.values()) listener()
    },
    passed: (file) => listeners.get(file)?.(),
  }
}
