import { bundle } from '../support/bundle.ts'
import { createChance } from '../support/chance.ts'
import { makePlace } from '../support/place.ts'
import type { CampaignDatabase } from '../support/postgres.ts'
import { emptyFigures, type Figures } from './ledger.ts'
import { programSources, Run } from './run.ts'

export interface CrashOptions {
  readonly cycles: number
  readonly seed: number
  /** How many servers run on the installation; 1 by default. */
  readonly servers?: number
  /** How many processes each server has; 1 by default. With more, one of them is killed alone in every other cycle. */
  readonly workers?: number
  /** SQLite by default. On PostgreSQL it crashes, too, in every third cycle. */
  readonly database?: CampaignDatabase | undefined
  /** Cycles on one installation, before a new one is created. */
  readonly cyclesPerInstallation?: number
  /** Called after each installation. */
  readonly onProgress?: (figures: Figures) => void
  /** Called when every process that had the data open was killed. For tests that make the campaign fail. */
  readonly afterKill?: (dataDir: string) => void
}

export interface CrashOutcome {
  readonly figures: Figures
  /** A sentence for each observation that contradicts the promises. */
  readonly violations: readonly string[]
}

/**
 * Kills servers with SIGKILL, and PostgreSQL with an immediate shutdown, under load, restarts them on the same data, and compares what they show with everything that was
 * acknowledged. Stops after the first installation with a violation.
 */
export async function runCrashCampaign({
  cycles,
  seed,
  servers = 1,
  workers = 1,
  database,
  cyclesPerInstallation = 25,
  onProgress = () => undefined,
  afterKill = () => undefined,
}: CrashOptions): Promise<CrashOutcome> {
  const chance = createChance(seed)
  const figures = emptyFigures()
  const violations: string[] = []
  const { programs, remove } = await bundle(programSources)
  try {
    while (figures.kills + figures.databaseCrashes < cycles && violations.length === 0) {
      const place = makePlace(undefined, {
        ...(await database?.newSettings()),
        SOTTO_WORKERS: String(workers),
      })
      const run = new Run({ place, programs, chance, figures, servers, workers, database, afterKill })
      try {
        violations.push(
          ...(await run.through(
            Math.min(cyclesPerInstallation, cycles - figures.kills - figures.databaseCrashes),
          )),
        )
      } catch (error) {
        // The cause may be a token that is unknown, or a database that does not open.
        violations.push(`it cannot continue: ${error instanceof Error ? error.message : String(error)}`)
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
