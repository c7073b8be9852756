import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expectOk } from '@sotto/test-kit'
import { compareStore } from '../crash/compare-store.ts'
import type { Ledger } from '../crash/ledger.ts'
import { createChance, type Chance } from '../support/chance.ts'
import { makePlace, openPlace, placeIn } from '../support/place.ts'
import { Disk } from './disk.ts'
import { losses } from './image.ts'
import { record, type Recording, type RecordOptions } from './record.ts'
import { ledgerOf, type Report } from './reports.ts'

export interface PowerLossOptions extends RecordOptions {
  /** How many power cuts are tried, each at its own moment and with its own losses. */
  readonly images: number
  /** Called from time to time with how many were tried. */
  readonly onProgress?: (images: number) => void
}

export interface PowerLossOutcome {
  readonly figures: PowerLossFigures
  /** A sentence for each observation that contradicts the promises, with the image in which it was found. */
  readonly violations: readonly string[]
}

export interface PowerLossFigures {
  /** Counts of the recording. */
  readonly writes: number
  readonly syncs: number
  readonly acknowledged: number
  images: number
  /** Images in which something acknowledged is missing, or that do not open. */
  imagesViolated: number
  /** Acknowledged secrets that were looked for, summed over all images. */
  secretsExpected: number
  notesCompared: number
  filesCompared: number
}

/**
 * Records every write and fsync of a run, then cuts the power at many moments of it. It builds the contents of a disk that guarantees only
 * what was synced, opens it, and compares it with everything that was acknowledged by then.
 */
export async function runPowerLossCampaign(options: PowerLossOptions): Promise<PowerLossOutcome> {
  const recording = await record(options)
  const figures = figuresOf(recording)
  const violations: string[] = []
  const chance = createChance(options.seed + 1)
  const moments = momentsOf(recording, options.images, chance)
  const disk = new Disk(recording.directory)
  const reports: Report[] = []
  const images = makePlace()
  try {
    let applied = 0
    for (const moment of moments) {
      for (const event of recording.events.slice(applied, moment)) {
        disk.apply(event)
        if (event.kind === 'report') reports.push(event.report)
      }
      applied = moment
      const loss = chance.pick(losses) ?? 'all'
      const target = join(images.directory, 'image')
      disk.image(target, loss, chance)
      const found = await tryImage(target, ledgerOf(reports), figures)
      violations.push(
        ...found.map((sentence) => `image ${figures.images}, event ${moment}, ${loss}: ${sentence}`),
      )
      figures.images += 1
      if (found.length > 0) figures.imagesViolated += 1
      if (figures.images % 100 === 0) options.onProgress?.(figures.images)
      rmSync(target, { recursive: true, force: true })
    }
  } finally {
    images.remove()
  }
  return { figures, violations }
}

function figuresOf({ events }: Recording): PowerLossFigures {
  const count = (is: (event: Recording['events'][number]) => boolean): number => events.filter(is).length
  return {
    writes: count(({ kind }) => kind === 'write' || kind === 'truncate'),
    syncs: count(({ kind }) => kind === 'sync-ends'),
    acknowledged: count((event) => event.kind === 'report' && 'done' in event.report),
    images: 0,
    imagesViolated: 0,
    secretsExpected: 0,
    notesCompared: 0,
    filesCompared: 0,
  }
}

/**
 * The numbers of events after which the power is cut, ascending: one in ten within the first start, half of the others anywhere and half
 * directly after an acknowledgement.
 */
function momentsOf({ events }: Recording, images: number, chance: Chance): number[] {
  const answers = events.flatMap((event, index) =>
    event.kind === 'report' && 'done' in event.report ? [index + 1] : [],
  )
  const moments = Array.from({ length: images }, (_, index) => {
    if (index % 10 === 0) return chance.between(0, answers[0] ?? 0)
    return index % 2 === 0 ? chance.between(0, events.length) : (chance.pick(answers) ?? 0)
  })
  return moments.sort((one, other) => one - other)
}

/** Opens an image as a server would. Resolves with the violations. */
async function tryImage(
  directory: string,
  ledger: Ledger | undefined,
  figures: PowerLossFigures,
): Promise<readonly string[]> {
  try {
    const installation = await openPlace(placeIn(directory))
    try {
      if (ledger === undefined) return []
      const secrets = new Map<string, { readonly id: string; readonly token: string }>()
      for await (const page of installation.sotto.listSecrets({ accountId: ledger.accountId })) {
        for (const { label, id, link } of expectOk(page).items) secrets.set(label, { id, token: link.token })
      }
      const certain = [...ledger.entries.values()].filter(({ possible }) => !possible.includes('absent'))
      figures.secretsExpected += certain.length
      await compareStore({ installation, ledger, secrets, withPasswords: false })
      figures.notesCompared += ledger.figures.notesCompared
      figures.filesCompared += ledger.figures.filesCompared
      return ledger.violations
    } finally {
      await installation.close()
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
