import { uptime } from 'node:os'
import type { Installation } from '../installation/installation.ts'
import { startSweeper, type Sweeper, type SweeperLog } from './sweeper.ts'
import { systemEveryMinute } from '../shared/timers.ts'

/** Starts the sweeper of an installation, on the clocks of this machine. */
export function startSystemSweeper(
  { sotto, storage, ports }: Pick<Installation, 'sotto' | 'storage' | 'ports'>,
  log: SweeperLog,
): Sweeper {
  return startSweeper({
    sotto,
    upkeep: storage.upkeep,
    clock: ports.clock,
    // This clock also counts the time that the machine sleeps; performance.now() does not.
    steadyMicros: () => uptime() * 1_000_000,
    everyMinute: systemEveryMinute,
    log,
  })
}
