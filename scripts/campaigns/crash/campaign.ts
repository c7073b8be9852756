import { bundle } from '../support/bundle.ts'
import { createChance } from '../support/chance.ts'
import { makePlace } from '../support/place.ts'
import { emptyFigures, type Figures } from './ledger.ts'
import { programSources, Run } from './run.ts'

export interface CrashOptions {
  readonly cycles: number
  readonly seed: number
  /** Cycles on one installation, before the next one is made. */
  readonly cyclesPerInstallation?: number
  /** Told now and then how far it is. */
  readonly onProgress?: (figures: Figures) => void
  /** Called when everything that had the data open was killed. Only those who want to see the campaign fail have a reason to. */
  readonly afterKill?: (dataDir: string) => void
}

export interface CrashOutcome {
  readonly figures: Figures
  /** Sentences about whatever contradicts the promises. */
  readonly violations: readonly string[]
}

/**
 * Kills servers with SIGKILL under load, starts them again on what is left, and holds that against everything that was acknowledged.
 * Ends with the first installation on which something was violated.
 */
export async function runCrashCampaign({
  cycles,
  seed,
  cyclesPerInstallation = 25,
  onProgress = () => undefined,
  afterKill = () => undefined,
}: CrashOptions): Promise<CrashOutcome> {
  const chance = createChance(seed)
  const figures = emptyFigures()
  const violations: string[] = []
  const { programs, remove } = await bundle(programSources)
  try {
    while (figures.kills < cycles && violations.length === 0) {
      const place = makePlace()
      const run = new Run({ place, programs, chance, figures, afterKill })
      try {
        violations.push(...(await run.through(Math.min(cyclesPerInstallation, cycles - figures.kills))))
      } catch (error) {
        // A token that is not known any more, or a database that does not open.
        violations.push(`it cannot go on: ${error instanceof Error ? error.message : String(error)}`)
      } finally {
        await run.end()
        place.remove()
      }
      onProgress(figures)
    }
  } finally {
    remove()
  }
  return { figures, violations }
}
