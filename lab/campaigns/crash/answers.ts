import type { FullSotto } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { createChance } from '../support/chance.ts'
import { addOwner } from '../support/owner.ts'
import { makePlace, openPlace } from '../support/place.ts'
import type { CampaignDatabase } from '../support/postgres.ts'
import { persist, race, startRacer, type Racer } from './racers.ts'

export interface AnswersOptions {
  /** How many requests are answered. */
  readonly requests: number
  /** Answers to each request at once, as many from each process. */
  readonly answersPerRequest: number
  readonly seed: number
  /** How many processes answer: 2 by default. One of them is killed at every second request. */
  readonly processes?: number
  /** SQLite by default. */
  readonly database?: CampaignDatabase | undefined
  /** Uses a store that reads first and counts afterwards, which the campaign must notice. */
  readonly readThenWrite?: boolean
  /** Called from time to time with how many requests were answered. */
  readonly onProgress?: (requests: number) => void
}

export interface AnswersOutcome {
  readonly figures: AnswersFigures
  /** A sentence for each request that did not get exactly what it allows, or lost an answer. */
  readonly violations: readonly string[]
}

export interface AnswersFigures {
  requests: number
  /** Forms that were sent; after a kill all of them once more. */
  answers: number
  acknowledged: number
  /** The sum of all allowed answers. */
  allowed: number
  /** Processes that were killed while they answered. */
  kills: number
  /** Answers that were acknowledged only when their form was sent again after a kill. */
  unheard: number
  /** Requests whose answers came through more than one process. */
  sharedByProcesses: number
  retries: number
}

const answersAllowed = [1, 2, 5]

interface AnswersRun {
  readonly options: AnswersOptions
  readonly sotto: FullSotto
  readonly accountId: string
  readonly racers: Racer[]
  readonly start: () => Promise<Racer>
  readonly figures: AnswersFigures
}

/**
 * Hands in more answers to each request than it allows, all at once, from several processes on one store. At every second request one of
 * them is killed in between, and replaced; then all forms are sent again. Counts the drafts.
 */
export async function runAnswers(options: AnswersOptions): Promise<AnswersOutcome> {
  const { processes: length = 2, readThenWrite = false } = options
  const zero = { requests: 0, answers: 0, acknowledged: 0, allowed: 0 }
  const figures = { ...zero, kills: 0, unheard: 0, sharedByProcesses: 0, retries: 0 }
  const violations: string[] = []
  const place = makePlace(undefined, await options.database?.newSettings())
  const { sotto, close } = await openPlace(place)
  const start = () => startRacer(place, readThenWrite ? 'read-then-write' : undefined)
  const racers = await Promise.all(Array.from({ length }, start))
  try {
    const { accountId } = await addOwner(sotto)
    const run = { options, sotto, accountId, racers, start, figures }
    while (figures.requests < options.requests) {
      violations.push(...(await answerOneRequest(run)))
      if (figures.requests % 10 === 0) options.onProgress?.(figures.requests)
    }
  } finally {
    await Promise.all(racers.map((racer) => racer.end()))
    await close()
    place.remove()
  }
  return { figures, violations }
}

async function answerOneRequest(run: AnswersRun): Promise<readonly string[]> {
  const { options, sotto, accountId, racers, start, figures } = run
  const nr = (figures.requests += 1)
  const allowed = answersAllowed[nr % answersAllowed.length] ?? 1
  const folder = expectOk(await sotto.createFolder({ accountId, label: `Folder ${nr}` }))
  const asked = { accountId, folderId: folder.id, title: `Request ${nr}`, answersAllowed: allowed }
  const { id, link } = expectOk(await sotto.createRequest(asked))
  const times = Math.ceil(options.answersPerRequest / racers.length)
  const found: string[] = []
  const receipts = new Map<string, number>()
  const processes = new Set<Racer['end']>()
  const answer = async (racer: Racer, at: number): Promise<void> => {
    const given = answerOf(nr, at)
    const task = { task: 'answer', token: link.token, ...given } as const
    const { code, receivedAtMicros } = (await persist(() => racer.ask(task), figures)) ?? {}
    if (code !== undefined && code !== 'request_not_found') found.push(`${code} was answered`)
    if (receivedAtMicros === undefined) return
    const known = receipts.get(given.note) ?? receivedAtMicros
    if (known !== receivedAtMicros) found.push('a form got another receipt')
    receipts.set(given.note, receivedAtMicros)
    processes.add(racer.end)
  }
  const kill = nr % 2 !== 0 ? undefined : nr % 4 === 0 ? 'unheard' : 'at some time'
  const chance = createChance(options.seed + nr)
  await race(racers, start, { times, kill, chance }, answer)
  const before = receipts.size
  if (kill !== undefined) {
    figures.kills += 1
    await race(racers, start, { times, chance }, answer)
  }
  figures.unheard += receipts.size - before
  figures.answers += times * racers.length
  figures.acknowledged += receipts.size
  figures.allowed += allowed
  if (processes.size > 1) figures.sharedByProcesses += 1
  const { answers } = expectOk(await sotto.getRequest({ accountId, id }))
  const drafts = await notesIn(sotto, accountId, folder.id)
  const expected = Math.min(allowed, times * racers.length)
  if (drafts.length !== expected) found.push(`${drafts.length} drafts, it allows ${allowed}`)
  if (answers !== drafts.length)
    found.push(`${answers} answers are counted, there are ${drafts.length} drafts`)
  if (new Set(drafts).size !== drafts.length) found.push('a form is two drafts')
  const lost = [...receipts.keys()].filter((note) => !drafts.includes(note))
  if (lost.length > 0) found.push(`${lost.length} acknowledged answers are lost`)
  if (receipts.size !== drafts.length) found.push(`${receipts.size} answers were acknowledged`)
  return found.map((sentence) => `request ${nr}: ${sentence}`)
}

/** The answer of somebody with a form, at an address of his own. */
function answerOf(nr: number, at: number) {
  const formId = (nr * 1_000_000 + at).toString(16).padStart(32, '0')
  return { formId, note: `note ${formId}`, address: `10.${nr % 256}.${at >> 8}.${at % 256}` }
}

async function notesIn(sotto: FullSotto, accountId: string, folderId: string): Promise<readonly string[]> {
  const notes: string[] = []
  for await (const page of sotto.listDrafts({ accountId, folderId }))
    for (const { id } of expectOk(page).items)
      notes.push(expectOk(await sotto.getDraft({ accountId, id })).note ?? '')
  return notes
}
