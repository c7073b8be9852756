import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { createNodeCrypto } from '@sotto/adapter-node-crypto'
import type { Installation } from '@sotto/server'
import { expectOk, linkRecordOf } from '@sotto/test-kit'
import { startChild } from '../support/child.ts'
import { randomProof, sealedNote } from '../support/sealed.ts'
import { makePlace, openPlace, type Place } from '../support/place.ts'
import { readTicketWhole, uploadFile } from '../support/files.ts'
import type { CampaignDatabase } from '../support/postgres.ts'
import { startHttpOpeners } from './http-openers.ts'
import type { Opener, OpensAnswer, OpensRequest } from './opener-process.ts'

export interface OpensOptions {
  /** How many links without a password are opened. */
  readonly links: number
  readonly linksWithPassword: number
  /** Opens of each link, as many from each process. */
  readonly opensPerLink: number
  /** How many processes open: 2 by default. */
  readonly processes?: number
  /** Opens over HTTP, at one server with so many workers, in place of processes that open by themselves. */
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
  /** The sum of all limits. */
  allowed: number
  /** Links that more than one process delivered. */
  sharedByProcesses: number
  /** Tickets of files that opens gave, each of which was read after the last open. */
  tickets: number
  /** Answers to retry later. */
  retries: number
  /** Opens of sealed secrets without a key, or with another one. */
  refused: number
}

interface Link {
  readonly token: string
  readonly note: string
  readonly openLimit: number
  readonly password: string | undefined
  /** The proof of its key, where it is sealed. */
  readonly proof: string | undefined
  readonly file: Buffer | undefined
}

const openLimits = [1, 2, 5, 100]

/**
 * Parameters of Argon2id that cost next to nothing, for the passwords that are set here; an open uses the parameters that are stored with
 * the secret. At the shipped cost nobody could open thousands of times, and there would be no race.
 */
const cheap = { memoryKiB: 8, passes: 1 }

/** Opens each link more often than its limit allows, concurrently, from several processes on one store, and counts the deliveries. */
export async function runOpensCampaign(options: OpensOptions): Promise<OpensOutcome> {
  const figures = {
    links: 0,
    opens: 0,
    delivered: 0,
    allowed: 0,
    sharedByProcesses: 0,
    tickets: 0,
    retries: 0,
    refused: 0,
  }
  const violations: string[] = []
  const place = makePlace(undefined, await options.database?.newSettings())
  const installation = await openPlace(place, {
    createCrypto: (given) => createNodeCrypto({ ...given, argon2: cheap }),
  })
  const openers: Opener[] = []
  try {
    const links = await createLinks(installation, options)
    const length = options.processes ?? 2
    if (options.workers === undefined)
      openers.push(...(await Promise.all(Array.from({ length }, () => startOpener(place, options)))))
    else openers.push(...(await startHttpOpeners(place, { openers: length, workers: options.workers })))
    for (const link of links) {
      violations.push(...(await openLink(link, { openers, options, figures, installation })))
      if (figures.links % 20 === 0) options.onProgress?.(figures.links)
    }
  } finally {
    await Promise.all(openers.map((opener) => opener.end()))
    await installation.close()
    place.remove()
  }
  return { figures, violations }
}

async function createLinks({ sotto }: Installation, options: OpensOptions): Promise<readonly Link[]> {
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'opens@example.org' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Opens' }))
  const links: Link[] = []
  const total = options.links + options.linksWithPassword
  for (let nr = 0; nr < total; nr += 1) {
    const password = nr < options.links ? undefined : `password ${nr}`
    const openLimit = openLimits[nr % openLimits.length] ?? 1
    // Every third one is sealed.
    const { note, proof } = nr % 3 === 2 ? sealedNote() : { note: `Note ${nr}`, proof: undefined }
    // Every other one has a file, of each limit.
    const file = (nr >> 2) % 2 === 0 ? randomBytes(100_000) : undefined
    const upload = file && (await uploadFile(sotto, accountId, file))
    const input = { accountId, folderId, label: `Secret ${nr}`, note, openLimit, password, upload }
    const { link } = expectOk(await sotto.createSecret(input))
    links.push({ token: link.token, note, openLimit, password, proof, file })
  }
  return links
}

async function startOpener(
  { directory, env }: Place,
  { readThenWrite = false }: OpensOptions,
): Promise<Opener> {
  const program = new URL('./opener-process.ts', import.meta.url)
  const args = [directory, ...(readThenWrite ? ['read-then-write'] : [])]
  const child = startChild({ program, args, env })
  await child.line()
  return {
    async open(request) {
      child.send(request)
      return JSON.parse(await child.line()) as OpensAnswer
    },
    async end() {
      await child.end()
    },
  }
}

interface OpenContext {
  readonly openers: readonly Opener[]
  readonly options: OpensOptions
  readonly figures: OpensFigures
  readonly installation: Installation
}

/** Opens one link from all processes. Resolves with the violations. */
async function openLink(link: Link, context: OpenContext): Promise<readonly string[]> {
  const { openers, options, figures, installation } = context
  const { token, password, proof, openLimit } = link
  const times = Math.ceil(options.opensPerLink / openers.length)
  // All in one turn of the event loop meet in few transactions; in small groups the processes alternate at the store.
  const perTurn = figures.links % 8 < 4 ? times : 10
  const request: OpensRequest = { token, times, perTurn, ...(password && { password }) }
  const refusals = proof === undefined ? [] : await refusalErrors(link, request, context)
  const answers = await Promise.all(
    openers.map((opener) => opener.open({ ...request, ...(proof && { proof }) })),
  )
  figures.links += 1
  figures.opens += times * openers.length
  figures.delivered += answers.reduce((sum, { notes }) => sum + notes.length, 0)
  figures.allowed += openLimit
  figures.retries += answers.reduce((sum, { retries }) => sum + retries, 0)
  const deliverers = new Set(answers.flatMap(({ deliveredBy }) => deliveredBy))
  if (deliverers.size > 1) figures.sharedByProcesses += 1
  const expected = Math.min(openLimit, times * openers.length)
  const found = [
    ...refusals,
    ...deliveryErrors(link, answers, expected),
    ...(await countErrors(link, installation, expected)),
    ...(await ticketErrors(link, answers, context)),
  ]
  const name = `link ${figures.links}${password === undefined ? '' : ' with password'}`
  return found.map((sentence) => `${name}: ${sentence}`)
}

/** Whoever has no key, or another one, opens nothing and spends nothing, however often and from how many processes. */
async function refusalErrors(
  { token }: Link,
  request: OpensRequest,
  { openers, figures, installation: { ports } }: OpenContext,
): Promise<readonly string[]> {
  const before = await linkRecordOf(ports, ports.digests.linkLookup(token))
  const guesses = [request, { ...request, proof: randomProof() }, { ...request, proof: randomProof() }]
  const answers: OpensAnswer[] = []
  for (const guess of guesses)
    answers.push(...(await Promise.all(openers.map((opener) => opener.open(guess)))))
  const refused = answers.reduce((sum, answer) => sum + answer.refused, 0)
  figures.refused += refused
  const after = await linkRecordOf(ports, ports.digests.linkLookup(token))
  const found: string[] = []
  if (refused !== answers.length * request.times) found.push(`${refused} opens without its key were refused`)
  if (!isDeepStrictEqual(after, before)) found.push('opens without its key have changed it')
  return found
}

function deliveryErrors(
  { note, openLimit }: Link,
  answers: readonly OpensAnswer[],
  expected: number,
): readonly string[] {
  const notes = answers.flatMap((answer) => answer.notes)
  const found = answers.flatMap(({ unexpected }) => unexpected).map((code) => `${code} was answered`)
  if (notes.length !== expected) found.push(`delivered ${notes.length} times, its limit is ${openLimit}`)
  if (notes.some((delivered) => delivered !== note)) found.push('a wrong note was delivered')
  return found
}

async function countErrors(
  { token, openLimit }: Link,
  { ports }: Installation,
  expected: number,
): Promise<readonly string[]> {
  const record = await linkRecordOf(ports, ports.digests.linkLookup(token))
  if (record === undefined) return ['its row is missing']
  const { opens, hasNote } = record.state
  const found: string[] = []
  if (opens !== expected) found.push(`${opens} opens are counted, its limit is ${openLimit}`)
  if (hasNote !== expected < openLimit) found.push(`its note is ${hasNote ? 'still there' : 'gone'}`)
  return found
}

/** Each open must have given a ticket of its own, which reads the file although the last open has destroyed its key. */
async function ticketErrors(
  { file }: Link,
  answers: readonly OpensAnswer[],
  { figures, installation: { sotto, ports } }: OpenContext,
): Promise<readonly string[]> {
  const tickets = answers.flatMap((answer) => answer.tickets)
  const opens = file === undefined ? 0 : answers.flatMap(({ notes }) => notes).length
  const found: string[] = []
  if (new Set(tickets).size !== opens) found.push(`${opens} opens gave ${new Set(tickets).size} tickets`)
  for (const ticket of tickets) {
    const bytes = await readTicketWhole(sotto, ticket)
    if (typeof bytes === 'string' || file?.equals(bytes) !== true)
      found.push('a ticket does not read the file')
  }
  // Every ticket of this link, whoever has got it.
  const stored = expectOk(await ports.secretFiles.eraseTickets(Number.MAX_SAFE_INTEGER, 10_000))
  if (stored !== opens) found.push(`${opens} opens stored ${stored} tickets`)
  figures.tickets += tickets.length
  return found
}
