import { uptime } from 'node:os'
import { purgeExpired } from '@sotto/core'
import type { Installation } from './installation.ts'
import { startSweeper, type Sweeper, type SweeperLog } from './sweeper.ts'

/** Starts the sweeper of an installation by the clocks of this machine. */
export function startSystemSweeper(installation: Installation, log: SweeperLog): Sweeper {
  const { ports, upkeep } = installation
  return startSweeper({
    purge: () => purgeExpired(ports),
    lastSweep: () => upkeep.lastSweep(),
    noteSweep: (nowMicros) => upkeep.noteSweep(nowMicros),
    wallMicros: () => ports.clock.nowMicros(),
    // Unlike performance.now() this one goes on while the machine sleeps.
    steadyMicros: () => uptime() * 1_000_000,
    everyMinute(tick) {
      const timer = setInterval(tick, 60_000)
      return () => clearInterval(timer)
    },
    log,
  })
}
