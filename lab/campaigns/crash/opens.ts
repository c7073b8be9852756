import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Installation } from '@sotto/server'
import { expectOk, linkRecordOf } from '@sotto/test-kit'
import { cheapCrypto } from '../support/cheap-crypto.ts'
import { createChance } from '../support/chance.ts'
import { uploadFile } from '../support/files.ts'
import { makePlace, openPlace } from '../support/place.ts'
import type { CampaignDatabase } from '../support/postgres.ts'
import { randomProof, sealedNote } from '../support/sealed.ts'
import { compareStore, type ListedSecrets } from './compare-store.ts'
import type { Entry, Ledger } from './ledger.ts'
import { openBy } from './operator-steps.ts'
import { prepareLedger } from './prepare-ledger.ts'
import { persist, race, startClients, startRacer, type Racer } from './racers.ts'

export interface OpensOptions {
  /** How many links without a password are opened. */
  readonly links: number
  readonly linksWithPassword: number
  /** Opens of each link, as many from each process. */
  readonly opensPerLink: number
  readonly seed: number
  /** How many processes open: 2 by default. One of them is killed at every fifth link. */
  readonly processes?: number
  /** Opens over HTTP, at one server with so many workers, in place of processes that open by themselves. Nothing is killed then. */
  readonly workers?: number | undefined
  /** SQLite by default. */
  readonly database?: CampaignDatabase | undefined
  /** Uses a store that reads first and counts afterwards, which the campaign must notice. */
  readonly readThenWrite?: boolean
  /** Called from time to time with how many links were opened. */
  readonly onProgress?: (links: number) => void
}

export interface OpensOutcome {
  readonly figures: OpensFigures
  /** A sentence for each link that was not delivered exactly as often as its limit says. */
  readonly violations: readonly string[]
}

export interface OpensFigures {
  links: number
  /** Recipients, each of whom retried until the link was delivered or gone. */
  opens: number
  delivered: number
  /** Opens that were counted by a process that was killed before it delivered them. */
  lost: number
  /** The sum of all limits. */
  allowed: number
  /** Processes that were killed while they opened. */
  kills: number
  /** Links, or with workers processes, that show that several delivered. */
  sharedByProcesses: number
  /** Tickets of files that opens gave, each of which was read after the last open. */
  tickets: number
  /** Answers to retry later. */
  retries: number
  /** Opens of sealed secrets without a key, or with another one. */
  refused: number
}

const openLimits = [1, 2, 5, 100]

/**
 * Opens each link more often than its limit allows, from several processes on one store at once, some of which are killed meanwhile. Counts
 * the deliveries, then compares the store with them as after a crash.
 */
export async function runOpens(options: OpensOptions): Promise<OpensOutcome> {
  const { processes = 2, workers, readThenWrite = false } = options
  const place = makePlace(undefined, await options.database?.newSettings())
  const ledger = await prepareLedger(place)
  // Passwords are cheap here: at their shipped cost nobody could open thousands of times, and there would be no race.
  const installation = await openPlace(place, { createCrypto: cheapCrypto })
  const start = () => startRacer(place, readThenWrite ? 'read-then-write' : undefined)
  const served =
    workers === undefined ? undefined : await startClients(place, { clients: processes, workers })
  const racers = served?.racers ?? (await Promise.all(Array.from({ length: processes }, start)))
  const run = { options, ledger, installation, racers, start, figures: emptyFigures() }
  try {
    await createLinks(run)
    for (const entry of ledger.entries.values()) {
      await openLink(run, entry)
      if (run.figures.links % 20 === 0) options.onProgress?.(run.figures.links)
    }
    if (served !== undefined) run.figures.sharedByProcesses = served.deliverers.size
    await compareAll(run)
  } finally {
    await Promise.all(racers.map((racer) => racer.end()))
    await served?.stop()
    await installation.close()
    place.remove()
  }
  return { figures: run.figures, violations: ledger.violations }
}

function emptyFigures(): OpensFigures {
  const opened = { links: 0, opens: 0, delivered: 0, lost: 0, allowed: 0, kills: 0 }
  return { ...opened, sharedByProcesses: 0, tickets: 0, retries: 0, refused: 0 }
}

interface OpensRun {
  readonly options: OpensOptions
  readonly ledger: Ledger
  readonly installation: Installation
  readonly racers: Racer[]
  readonly start: () => Promise<Racer>
  readonly figures: OpensFigures
}

async function createLinks({ options, ledger, installation: { sotto } }: OpensRun): Promise<void> {
  const { accountId, folderId, entries } = ledger
  for (let nr = 0; nr < options.links + options.linksWithPassword; nr += 1) {
    const label = `link ${nr + 1}`
    const password = nr < options.links ? undefined : `password ${nr}`
    const openLimit = openLimits[nr % openLimits.length] ?? 1
    // Every third one is sealed.
    const { note, proof } = nr % 3 === 2 ? sealedNote() : { note: `Note ${nr}`, proof: undefined }
    // Every other one has a file, of each limit.
    const file = (nr >> 2) % 2 === 0 ? randomBytes(100_000) : undefined
    const upload = file && (await uploadFile(sotto, accountId, file))
    const input = { accountId, folderId, label, note, openLimit, password, upload }
    const { id, link } = expectOk(await sotto.createSecret(input))
    const known = { id, token: link.token, possible: ['shared'] as const, delivered: 0 }
    entries.set(label, {
      ...{ label, note, password, proof, file, openLimit, ...known },
      opens: { least: 0, most: 0 },
    })
  }
}

/** Opens one link from all processes. */
async function openLink(run: OpensRun, entry: Entry): Promise<void> {
  const { options, ledger, racers, start, figures } = run
  const { label, openLimit = 0, proof } = entry
  const times = Math.ceil(options.opensPerLink / racers.length)
  if (proof !== undefined) await openWithoutKey(run, entry, times)
  const nr = (figures.links += 1)
  const kill =
    options.workers !== undefined || nr % 5 !== 0 ? undefined : nr % 2 === 0 ? 'unheard' : 'at some time'
  const deliverers = new Set<Racer['end']>()
  const chance = createChance(options.seed + nr)
  // All at once meet in few transactions; in small groups the processes alternate at the store.
  await race(racers, start, { times, inGroups: nr % 8 < 4, kill, chance }, async (racer) => {
    const answer = await persist(() => openBy(racer, ledger, entry, entry), figures)
    if (answer?.note !== undefined) deliverers.add(racer.end)
    else if (answer !== undefined && answer.code !== 'link_not_found')
      ledger.violations.push(`${label}: ${answer.code} was answered`)
  })
  const expected = Math.min(openLimit, times * racers.length)
  if (kill === undefined && entry.delivered !== expected)
    ledger.violations.push(`${label}: delivered ${entry.delivered} times, its limit is ${openLimit}`)
  figures.opens += times * racers.length
  figures.delivered += entry.delivered
  figures.allowed += openLimit
  if (kill !== undefined) figures.kills += 1
  if (deliverers.size > 1) figures.sharedByProcesses += 1
}

/** Whoever has no key, or another one, opens nothing and spends nothing, however often and from how many processes. */
async function openWithoutKey(run: OpensRun, { label, token = '' }: Entry, times: number): Promise<void> {
  const { ledger, racers, start, figures, installation } = run
  const { ports } = installation
  const before = await linkRecordOf(ports, ports.digests.linkLookup(token))
  for (const proof of [undefined, randomProof(), randomProof()])
    await race(racers, start, { times, chance: createChance(0) }, async (racer) => {
      const answer = await persist(() => racer.ask({ task: 'open', token, proof }), figures)
      if (answer?.code === 'key_wrong') figures.refused += 1
      else ledger.violations.push(`${label}: without its key ${answer?.code ?? 'a note'} was answered`)
    })
  const after = await linkRecordOf(ports, ports.digests.linkLookup(token))
  if (!isDeepStrictEqual(after, before)) ledger.violations.push(`${label}: opens without its key changed it`)
}

/** Each link must be counted as often as it was opened, and each open must have stored one ticket, which reads the file. */
async function compareAll({ options, ledger, installation, racers, figures }: OpensRun): Promise<void> {
  const secrets = await listed(installation, ledger)
  await compareStore({ installation, ledger, secrets, withPasswords: true })
  const attempts = Math.ceil(options.opensPerLink / racers.length) * racers.length
  for (const { label, file, openLimit = 0, opens, delivered, tickets = [] } of ledger.entries.values()) {
    const expected = Math.min(openLimit, attempts)
    if (opens.least !== expected)
      ledger.violations.push(`${label}: ${opens.least} opens are counted, its limit is ${openLimit}`)
    const given = file === undefined ? 0 : delivered
    if (tickets.length !== given || new Set(tickets).size !== given)
      ledger.violations.push(`${label}: ${given} opens gave ${tickets.length} tickets`)
    figures.tickets += tickets.length
    figures.lost += opens.least - delivered
  }
  const withFile = [...ledger.entries.values()].filter(({ file }) => file !== undefined)
  const opens = withFile.reduce((sum, entry) => sum + entry.opens.least, 0)
  const stored = expectOk(
    await installation.ports.secretFiles.eraseTickets(Number.MAX_SAFE_INTEGER, 1_000_000),
  )
  if (stored !== opens) ledger.violations.push(`${opens} opens stored ${stored} tickets`)
}

async function listed({ sotto }: Installation, { accountId }: Ledger): Promise<ListedSecrets> {
  const found = new Map<string, { readonly id: string; readonly token: string }>()
  for await (const page of sotto.listSecrets({ accountId }))
    for (const { label, id, link } of expectOk(page).items) found.set(label, { id, token: link.token })
  return found
}
