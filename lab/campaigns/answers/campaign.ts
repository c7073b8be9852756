import type { FullSotto } from '@sotto/identity'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { startChild, type Child } from '../support/child.ts'
import { makePlace, openPlace, type Place } from '../support/place.ts'
import type { CampaignDatabase } from '../support/postgres.ts'
import type { Answerer, AnswerLine, AnswersTask } from './answerer-process.ts'

export interface AnswersOptions {
  /** How many requests are answered. */
  readonly requests: number
  /** Answers to each request at once, as many from each process. */
  readonly answersPerRequest: number
  /** How many processes answer: 2 by default. */
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
  /** Forms that were sent; those of a killed process once more, by another one. */
  answers: number
  acknowledged: number
  /** The sum of all allowed answers. */
  allowed: number
  /** Processes that were killed while they answered. */
  kills: number
  /** Answers of killed processes that were durable, although nobody was told. */
  unheard: number
  /** Requests whose answers came through more than one process. */
  sharedByProcesses: number
}

const answersAllowed = [1, 2, 5]

/**
 * Hands in more answers to each request than it allows, all at once, from several processes on one store. Every second request has one of them
 * killed with SIGKILL in between; its forms are then sent again by a new process. Counts the drafts.
 */
export async function runAnswersCampaign(options: AnswersOptions): Promise<AnswersOutcome> {
  const zero = { requests: 0, answers: 0, acknowledged: 0, allowed: 0 }
  const figures: AnswersFigures = { ...zero, kills: 0, unheard: 0, sharedByProcesses: 0 }
  const violations: string[] = []
  const place = makePlace(undefined, await options.database?.newSettings())
  const installation = await openPlace(place)
  const children: Child[] = []
  try {
    const { id: accountId } = expectOk(
      await installation.sotto.createAccount({ email: 'answers@example.org' }),
    )
    const length = options.processes ?? 2
    children.push(...(await Promise.all(Array.from({ length }, () => startAnswerer(place, options)))))
    while (figures.requests < options.requests) {
      const context = { place, installation, accountId, children, options, figures }
      violations.push(...(await answerOneRequest(context)))
      if (figures.requests % 10 === 0) options.onProgress?.(figures.requests)
    }
  } finally {
    await Promise.all(children.map((child) => child.end()))
    await installation.close()
    place.remove()
  }
  return { figures, violations }
}

async function startAnswerer(
  { directory, env }: Place,
  { readThenWrite = false }: AnswersOptions,
): Promise<Child> {
  const program = new URL('./answerer-process.ts', import.meta.url)
  const child = startChild({
    program,
    args: [directory, ...(readThenWrite ? ['read-then-write'] : [])],
    env,
  })
  await child.line()
  return child
}

interface Context {
  readonly place: Place
  readonly installation: Installation
  readonly accountId: string
  /** A killed one is replaced. */
  readonly children: Child[]
  readonly options: AnswersOptions
  readonly figures: AnswersFigures
}

/** What the processes have said. */
interface Heard {
  /** The notes that were acknowledged, by their forms. */
  readonly acknowledged: Map<string, number>
  readonly processes: Set<number>
  readonly errors: string[]
}

async function answerOneRequest(context: Context): Promise<readonly string[]> {
  const { installation, accountId, children, options, figures } = context
  const { sotto } = installation
  const nr = (figures.requests += 1)
  const allowed = answersAllowed[nr % answersAllowed.length] ?? 1
  const folder = expectOk(await sotto.createFolder({ accountId, label: `Folder ${nr}` }))
  const asked = { accountId, folderId: folder.id, title: `Request ${nr}`, answersAllowed: allowed }
  const { id, link } = expectOk(await sotto.createRequest(asked))
  const perProcess = Math.ceil(options.answersPerRequest / children.length)
  const answerers = Array.from({ length: perProcess * children.length }, (_, at) => answererOf(nr, at))
  const heard: Heard = { acknowledged: new Map(), processes: new Set(), errors: [] }
  const killed = nr % 2 === 0 ? nr % children.length : undefined
  await Promise.all(
    children.map((_, at) => {
      const own = answerers.slice(at * perProcess, (at + 1) * perProcess)
      return answerFrom(context, at, { token: link.token, answerers: own }, heard, at === killed)
    }),
  )
  const stored = { drafts: await notesIn(sotto, accountId, folder.id), id }
  const { answers } = expectOk(await sotto.getRequest({ accountId, id }))
  figures.answers += answerers.length
  figures.acknowledged += heard.acknowledged.size
  figures.allowed += allowed
  if (heard.processes.size > 1) figures.sharedByProcesses += 1
  const found = [...heard.errors, ...errorsOf({ allowed, answers, ...stored }, heard, answerers)]
  return found.map((sentence) => `request ${nr}: ${sentence}`)
}

function answererOf(nr: number, at: number): Answerer {
  const formId = (nr * 1_000_000 + at).toString(16).padStart(32, '0')
  return { formId, note: `note ${formId}`, address: `10.${nr % 256}.${at >> 8}.${at % 256}` }
}

/** Hands in answers from one process; when it is killed, its forms are sent again from a new one. */
async function answerFrom(
  context: Context,
  at: number,
  task: AnswersTask,
  heard: Heard,
  isKilled: boolean,
): Promise<void> {
  const child = context.children[at]
  if (child === undefined) return
  // Half of them at a random time, the others between their first commit and its answer.
  const diesUnheard = isKilled && context.figures.requests % 4 === 0
  child.send({ ...task, diesUnheard })
  const stop = isKilled && !diesUnheard ? killer(child) : () => undefined
  const isWhole = await listen(child, at, heard, stop)
  if (isWhole) return
  context.figures.kills += 1
  const next = await startAnswerer(context.place, context.options)
  context.children[at] = next
  const before = new Set(heard.acknowledged.keys())
  next.send(task)
  await listen(next, at + context.children.length, heard, () => undefined)
  const own = new Set(task.answerers.map(({ formId }) => formId))
  const late = [...heard.acknowledged.keys()].filter((formId) => own.has(formId) && !before.has(formId))
  context.figures.unheard += late.length
}

/** Kills a process after a random time: before, among or after its first commits. */
function killer(child: Child): () => void {
  const timer = setTimeout(() => void child.kill(), Math.random() * 600)
  return () => {
    clearTimeout(timer)
  }
}

/** Reads what a process says about its answers. False when it was killed before it had said all of it. */
async function listen(child: Child, at: number, heard: Heard, stop: () => void): Promise<boolean> {
  for (;;) {
    const text = await child.line().catch(() => undefined)
    if (text === undefined) return false
    const line = JSON.parse(text) as AnswerLine
    if (line.formId === undefined) {
      stop()
      return true
    }
    if (line.unexpected !== undefined) heard.errors.push(`${line.unexpected} was answered`)
    if (line.receivedAtMicros === undefined) continue
    const known = heard.acknowledged.get(line.formId)
    if (known !== undefined && known !== line.receivedAtMicros)
      heard.errors.push('a form got another receipt')
    heard.acknowledged.set(line.formId, line.receivedAtMicros)
    heard.processes.add(at)
  }
}

async function notesIn(sotto: FullSotto, accountId: string, folderId: string): Promise<readonly string[]> {
  const notes: string[] = []
  for await (const page of sotto.listDrafts({ accountId, folderId }))
    for (const { id } of expectOk(page).items)
      notes.push(expectOk(await sotto.getDraft({ accountId, id })).note ?? '')
  return notes
}

interface Stored {
  readonly allowed: number
  readonly answers: number
  readonly drafts: readonly string[]
}

function errorsOf(
  { allowed, answers, drafts }: Stored,
  { acknowledged }: Heard,
  answerers: readonly Answerer[],
): readonly string[] {
  const found: string[] = []
  const expected = Math.min(allowed, answerers.length)
  if (drafts.length !== expected) found.push(`${drafts.length} drafts, it allows ${allowed}`)
  if (answers !== drafts.length)
    found.push(`${answers} answers are counted, there are ${drafts.length} drafts`)
  if (new Set(drafts).size !== drafts.length) found.push('a form is two drafts')
  const known = new Map(answerers.map(({ formId, note }) => [formId, note]))
  const lost = [...acknowledged.keys()].filter((formId) => !drafts.includes(known.get(formId) ?? ''))
  if (lost.length > 0) found.push(`${lost.length} acknowledged answers are lost`)
  if (acknowledged.size !== drafts.length) found.push(`${acknowledged.size} answers were acknowledged`)
  return found
}
