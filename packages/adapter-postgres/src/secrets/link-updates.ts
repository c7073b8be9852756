import type { LinkChange, LinkNotFound, LinkRecord, LinkStore, StorageError } from '@sotto/core'
import { err, type Result, type ResultAsync } from 'neverthrow'
import { createBatches } from '../connection/batches.ts'
import { retryMillis as defaultRetryMillis, type Database } from '../connection/database.ts'
import { busy, failureOf } from '../connection/errors.ts'
import { createKeyedQueues } from '../connection/keyed-queues.ts'
import { decideInOrder, type Decided, type LinkCall, type LinkUpdate } from './link-decisions.ts'
import { keyOf } from '../engine/codec.ts'
import type { KnownLinks } from './known-links.ts'
import { linkOf, readLinks, type LinkRow } from './link-rows.ts'
import { writeLinks } from './link-writes.ts'

export interface UpdateOptions {
  /** The links that this process has read lately. */
  readonly known: KnownLinks
  /** How long a call is tried again after other writers changed its link first; 5 s by default. */
  readonly retryMillis?: number
}

/** How many calls are in a batch, and how many of them are about one link, at most. */
const [sizeMax, perLinkMax] = [512, 256]
/** Writes that wait for the disk at the same time share its waiting. */
const batchesAtOnce = 4

/**
 * Batches the calls of this process. One statement reads the links of a batch, and each caller decides in memory. One transaction writes
 * what the decisions make of the links, where they are unchanged. A link that was found a moment ago is not read once more. A link that
 * another process, or another writer of this one, changed first is read and decided again. Each caller is answered once what its answer
 * depends on is durable, also one that is refused: it may have been refused because of a caller before it.
 */
export function createUpdate(
  db: Database,
  { known, retryMillis = defaultRetryMillis }: UpdateOptions,
): LinkStore['update'] {
  const submit = createBatches<LinkUpdate, LinkChange, unknown>({
    queue: createKeyedQueues({ keyOf: ({ input }: LinkCall) => input.key, sizeMax, perKeyMax: perLinkMax }),
    measureQueue: db.measureQueue,
    atOnce: batchesAtOnce,
    sizeMax,
    run: async (batch) => refuseLate(await run(db, known, batch), retryMillis),
  })
  return <Change extends LinkChange, E>(
    lookup: Uint8Array,
    formId: string | undefined,
    decide: (record: LinkRecord) => Result<Change, E>,
  ) => {
    const update = { key: keyOf(lookup), lookup, formId, decide }
    // The answer is what this call's `decide` returned.
    return submit(update) as ResultAsync<Change, E | LinkNotFound | StorageError>
  }
}

/** Answers the calls that have been tried for too long, and returns the others. */
function refuseLate(again: readonly LinkCall[], retryMillis: number): readonly LinkCall[] {
  const latestMillis = performance.now() - retryMillis
  const isLate = ({ sinceMillis }: LinkCall): boolean => sinceMillis < latestMillis
  for (const call of again.filter(isLate)) call.answer(err(busy))
  return again.filter((call) => !isLate(call))
}

/** Resolves to the calls that have to be run again. */
async function run(
  db: Database,
  known: KnownLinks,
  batch: readonly LinkCall[],
): Promise<readonly LinkCall[]> {
  const decided: Decided[] = []
  const unread: LinkCall[] = []
  for (const [key, calls] of Map.groupBy(batch, ({ input }) => input.key)) {
    const link = decideUnread(known, key, calls)
    if (link === undefined) unread.push(...calls)
    else decided.push(link)
  }
  const again = await Promise.all([
    write(db, known, decided),
    unread.length === 0 ? [] : readAndWrite(db, known, unread),
  ])
  return again.flat()
}

/**
 * What the callers of a link decide on what is known of it. `undefined` when it is not known; and when one of them changes nothing, so that
 * no write would tell whether it was right.
 */
function decideUnread(known: KnownLinks, key: string, calls: readonly LinkCall[]): Decided | undefined {
  // Nothing is known about which forms were used.
  const link = calls.every(({ input }) => input.formId === undefined) ? known.find(key) : undefined
  if (link === undefined) return undefined
  const decided = decideInOrder(key, calls, link)
  return decided.decisions.every((decision) => decision.changesLink) ? decided : undefined
}

async function readAndWrite(
  db: Database,
  known: KnownLinks,
  batch: readonly LinkCall[],
): Promise<readonly LinkCall[]> {
  const read = await readLinks(
    db,
    batch.map(({ input }) => input),
  )
  if (read.isErr()) {
    for (const call of batch) call.answer(err(read.error))
    return []
  }
  const byKey = Map.groupBy(batch, ({ input }) => input.key)
  const decided = [...byKey].flatMap(([key, calls]) => decide(key, calls, read.value.get(key)) ?? [])
  // What changes nothing depends on no write.
  for (const link of decided) if (!changesLink(link)) answer(link)
  return write(db, known, decided.filter(changesLink))
}

/** `undefined` when the calls are answered already. */
function decide(key: string, calls: readonly LinkCall[], row: LinkRow | undefined): Decided | undefined {
  try {
    if (row !== undefined) return decideInOrder(key, calls, linkOf(row))
    for (const call of calls) call.answer(err({ code: 'link_not_found' }))
  } catch (error) {
    for (const call of calls) call.answer(err(failureOf(error)))
  }
  return undefined
}

function changesLink({ decisions }: Decided): boolean {
  return decisions.some((decision) => decision.changesLink)
}

/** Writes the links, and answers the callers of those that it wrote, and of those that failed. */
async function write(
  db: Database,
  known: KnownLinks,
  links: readonly Decided[],
): Promise<readonly LinkCall[]> {
  if (links.length === 0) return []
  const written = await writeLinks(db, links)
  if (written.isOk()) {
    const isWritten = ({ after }: Decided): boolean => written.value.has(after.id)
    const [done, lost] = [links.filter(isWritten), links.filter((link) => !isWritten(link))]
    for (const { key, next } of done) known.written(key, next)
    for (const { key } of lost) known.lost(key)
    done.forEach(answer)
    return lost.flatMap(({ decisions }) => decisions.map(({ call }) => call))
  }
  // One link that cannot be written takes none of the others with it.
  if (written.error.code === 'storage_failed' && links.length > 1) {
    const again = await Promise.all(links.map((link) => write(db, known, [link])))
    return again.flat()
  }
  for (const link of links) fail(link, written.error)
  return []
}

function answer({ decisions }: Decided): void {
  for (const { call, answer } of decisions) call.answer(answer)
}

/** Answers the callers of a link whose write failed. One that changed nothing knows the outcome, but not whether its decision was right. */
function fail({ decisions }: Decided, error: StorageError): void {
  const isUnknown = error.code === 'storage_unavailable' && error.reason === 'outcome_unknown'
  for (const { call, changesLink } of decisions) call.answer(err(isUnknown && !changesLink ? busy : error))
}
