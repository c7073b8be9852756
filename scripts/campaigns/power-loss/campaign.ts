import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { listSecrets } from '../../../packages/core/src/index.ts'
import { compareStore } from '../crash/compare-store.ts'
import type { Ledger } from '../crash/ledger.ts'
import { createChance } from '../support/chance.ts'
import { makePlace, openPlace, placeIn } from '../support/place.ts'
import { Disk } from './disk.ts'
import { losses } from './image.ts'
import { record, type Recording, type RecordOptions } from './record.ts'
import { ledgerOf, type Told } from './story.ts'

export interface PowerLossOptions extends RecordOptions {
  /** Power cuts that are tried, each at a moment and with losses of its own. */
  readonly images: number
  /** Told now and then how many were tried. */
  readonly onProgress?: (images: number) => void
}

export interface PowerLossOutcome {
  readonly figures: PowerLossFigures
  /** Sentences about whatever contradicts the promises, with the image in which it was found. */
  readonly violations: readonly string[]
}

export interface PowerLossFigures {
  /** Of the recording. */
  readonly writes: number
  readonly syncs: number
  readonly acknowledged: number
  images: number
  /** Images in which something that was acknowledged is missing, or that do not open. */
  imagesViolated: number
  /** Acknowledged secrets that were looked for, in all images together. */
  secretsExpected: number
  notesCompared: number
}

/**
 * Records every write and fsync of a run, then cuts the power at moments of it: builds what a disk may hold that keeps nothing but
 * what was synced for sure, opens it, and holds it against everything that was acknowledged by then.
 */
export async function runPowerLossCampaign(options: PowerLossOptions): Promise<PowerLossOutcome> {
  const recording = await record(options)
  const figures = figuresOf(recording)
  const violations: string[] = []
  const chance = createChance(options.seed + 1)
  const moments = momentsOf(recording, options.images, chance)
  const disk = new Disk(recording.directory)
  const story: Told[] = []
  const images = makePlace()
  try {
    let applied = 0
    for (const moment of moments) {
      for (const event of recording.events.slice(applied, moment)) {
        disk.apply(event)
        if (event.kind === 'told') story.push(event.told)
      }
      applied = moment
      const loss = chance.pick(losses) ?? 'all'
      const target = join(images.directory, 'image')
      disk.image(target, loss, chance)
      const found = await tryImage(target, ledgerOf(story), figures)
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
    acknowledged: count((event) => event.kind === 'told' && 'done' in event.told),
    images: 0,
    imagesViolated: 0,
    secretsExpected: 0,
    notesCompared: 0,
  }
}

/**
 * Numbers of events after which the power goes, ascending: one in ten in the first start, the others in equal parts anywhere and
 * right behind an acknowledgement.
 */
function momentsOf({ events }: Recording, images: number, chance: ReturnType<typeof createChance>): number[] {
  const answers = events.flatMap((event, index) =>
    event.kind === 'told' && 'done' in event.told ? [index + 1] : [],
  )
  const moments = Array.from({ length: images }, (_, index) => {
    if (index % 10 === 0) return chance.between(0, answers[0] ?? 0)
    return index % 2 === 0 ? chance.between(0, events.length) : (chance.pick(answers) ?? 0)
  })
  return moments.sort((one, other) => one - other)
}

/** Opens an image as a server would. Ok with what is violated. */
async function tryImage(
  directory: string,
  ledger: Ledger | undefined,
  figures: PowerLossFigures,
): Promise<readonly string[]> {
  try {
    const installation = await openPlace(placeIn(directory))
    try {
      if (ledger === undefined) return []
      const { ports } = installation
      const secrets = new Map<string, { readonly id: string; readonly token: string }>()
      for await (const slice of listSecrets(ports, { accountId: ledger.accountId })) {
        for (const { label, id, link } of slice._unsafeUnwrap()) secrets.set(label, { id, token: link.token })
      }
      const certain = [...ledger.entries.values()].filter(({ possible }) => !possible.includes('absent'))
      figures.secretsExpected += certain.length
      await compareStore({ installation, ledger, secrets, withPasswords: false })
      figures.notesCompared += ledger.figures.notesCompared
      return ledger.violations
    } finally {
      await installation.close()
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
