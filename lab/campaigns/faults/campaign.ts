import { join } from 'node:path'
import { bundle } from '../support/bundle.ts'
import { createChance } from '../support/chance.ts'
import { makePlace, placeIn, type Place } from '../support/place.ts'
import { emptyFaultFigures, type FaultFigures } from './figures.ts'
import { faultKinds, type FaultKind } from './kinds.ts'
import { means, mountSmallDisk, type Means } from './means.ts'
import { Run } from './run.ts'

export interface FaultsOptions {
  readonly cycles: number
  readonly seed: number
  /** The names of the faults; all that can be made here by default. */
  readonly only?: readonly string[]
  /** Cycles on one installation, before a new one is created. */
  readonly cyclesPerInstallation?: number
  /** Called after each installation. */
  readonly onProgress?: (figures: FaultFigures) => void
  /** Called after each fault. For tests that make the campaign fail. */
  readonly afterFault?: (dataDir: string) => void
}

export interface FaultsOutcome {
  readonly figures: FaultFigures
  /** A sentence for each observation that contradicts the promises. */
  readonly violations: readonly string[]
}

const diskBytes = 64 * 1_048_576

/**
 * Gives the machine of a server faults while it is under load, ends them, restarts it now and then, and compares what it shows with
 * everything that was acknowledged. Stops after the first installation with a violation.
 */
export async function runFaultsCampaign({
  cycles,
  seed,
  only,
  cyclesPerInstallation = 12,
  onProgress = () => undefined,
  afterFault = () => undefined,
}: FaultsOptions): Promise<FaultsOutcome> {
  const chance = createChance(seed)
  const figures = emptyFaultFigures()
  const violations: string[] = []
  const kinds = possibleFaults().kinds.filter(({ name }) => only?.includes(name) ?? true)
  const command = new URL('../crash/command-process.ts', import.meta.url)
  const { programs, remove } = await bundle({ command })
  try {
    while (figures.faults < cycles && violations.length === 0) {
      const { place, unmake } = makeSmallPlace()
      const run = new Run({ place, program: programs.command, chance, figures, kinds, afterFault })
      try {
        violations.push(...(await run.through(Math.min(cyclesPerInstallation, cycles - figures.faults))))
      } catch (error) {
        violations.push(`it cannot continue: ${error instanceof Error ? error.message : String(error)}`)
      } finally {
        await run.end()
        unmake()
      }
      onProgress(figures)
    }
  } finally {
    remove()
  }
  return { figures, violations }
}

/** The faults that can be made here, and what the others need. */
export function possibleFaults(): {
  readonly kinds: readonly FaultKind[]
  readonly missing: readonly Means[]
} {
  const missing = (Object.keys(means) as Means[]).filter((name) => !means[name]())
  return { kinds: faultKinds.filter(({ needs }) => !missing.includes(needs)), missing }
}

/** Makes a place on a disk of its own where that is possible, so that it can be filled. */
function makeSmallPlace(): { readonly place: Place; unmake(): void } {
  // No reserve: the disk is smaller than the usual one, and what fills it is met by a write.
  const settings = { SOTTO_LOG_LEVEL: 'info', SOTTO_DISK_RESERVE_BYTES: '0' }
  const disk = mountSmallDisk(diskBytes)
  if (disk !== undefined) return { place: placeIn(join(disk.path, 'place'), settings), unmake: disk.unmount }
  const place = makePlace(undefined, settings)
  return { place, unmake: () => place.remove() }
}
