// Opens a link simultaneously, as many times as it is asked to: what a server does, without HTTP. Reads one request a line and answers each
// with one line when all of its opens have ended.
//
// arguments: directory, and `read-then-write` for a store that is broken on purpose
import { createInterface } from 'node:readline'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { ResultAsync, err, ok, type Result } from 'neverthrow'
import {
  openSecret,
  type LinkChange,
  type LinkNotFound,
  type LinkRecord,
  type LinkStore,
  type ErrorOf,
  type StorageError,
} from '@sotto/core'
import { openPlace, placeIn } from '../support/place.ts'
import { givenDatabase } from '../support/postgres.ts'

export interface OpensRequest {
  readonly token: string
  readonly password?: string
  /** The proof of the key of a sealed secret. */
  readonly proof?: string
  readonly times: number
  /** How many begin in the same turn of the event loop. */
  readonly perTurn: number
}

export interface OpensAnswer {
  /** The notes that were delivered. */
  readonly notes: readonly string[]
  /** The tickets of its file that the opens gave. */
  readonly tickets: readonly string[]
  /** The processes that have delivered it. */
  readonly deliveredBy: readonly number[]
  /** How often it was refused because the key was missing or wrong. */
  readonly refused: number
  /** How often the link was gone. */
  readonly gone: number
  /** How often a recipient had to retry. */
  readonly retries: number
  /** Codes of errors that no recipient should get. */
  readonly unexpected: readonly string[]
}

/** What opens a link many times. */
export interface Opener {
  open(request: OpensRequest): Promise<OpensAnswer>
  /** Resolves when everything that belongs to it has ended. */
  end(): Promise<void>
}

/** An answer while it is being counted. */
type Counting = {
  -readonly [Name in Exclude<keyof OpensAnswer, 'deliveredBy'>]: OpensAnswer[Name] extends number
    ? number
    : string[]
}

const [directory = '', flaw] = process.argv.slice(2)
const { ports, close } = await openPlace(placeIn(directory, givenDatabase()))
const links = flaw === undefined ? ports.links : readThenWrite(ports.links)
process.stdout.write('{"ready":true}\n')
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const request = JSON.parse(line) as OpensRequest
  void openManyTimes({ ...ports, links }, request).then((answer) =>
    process.stdout.write(`${JSON.stringify(answer)}\n`),
  )
})
lines.on('close', () => void close().then(() => process.exit(0)))

async function openManyTimes(
  deps: Parameters<typeof openSecret>[0],
  request: OpensRequest,
): Promise<OpensAnswer> {
  const answer: Counting = { notes: [], tickets: [], refused: 0, gone: 0, retries: 0, unexpected: [] }
  const opens: Promise<void>[] = []
  while (opens.length < request.times) {
    for (let begun = 0; begun < request.perTurn && opens.length < request.times; begun += 1) {
      opens.push(openOnce(deps, request, answer))
    }
    await turn()
  }
  await Promise.all(opens)
  return { ...answer, deliveredBy: answer.notes.length > 0 ? [process.pid] : [] }
}

/** One recipient, who retries as often as the error allows it. */
async function openOnce(
  deps: Parameters<typeof openSecret>[0],
  { token, password, proof }: OpensRequest,
  answer: Counting,
): Promise<void> {
  for (;;) {
    const opened = await openSecret(deps, { token, password, proof })
    if (opened.isOk()) {
      const { note, attached } = opened.value
      answer.notes.push(note)
      if (attached !== undefined) answer.tickets.push(attached.ticket)
      return
    }
    const { error } = opened
    if (error.code === 'key_wrong') return void (answer.refused += 1)
    if (error.code === 'link_not_found') return void (answer.gone += 1)
    if (!mayRetry(error)) return void answer.unexpected.push(error.code)
    answer.retries += 1
    // Recipients are asked to wait for a second. Waiting less makes the race harder.
    await pause(20 + Math.random() * 180)
  }
}

function mayRetry(error: ErrorOf<typeof openSecret>): boolean {
  if (error.code === 'link_locked') return error.reason === 'attempts_under_way'
  return error.code === 'storage_unavailable' || error.code === 'hasher_busy'
}

/** What several products shipped: check whether the link can be opened, then count. */
function readThenWrite(store: LinkStore): LinkStore {
  return {
    ...store,
    update: <Change extends LinkChange, E>(
      lookup: Uint8Array,
      formId: string | undefined,
      decide: (record: LinkRecord) => Result<Change, E>,
    ) => {
      const run = async (): Promise<Result<Change, E | LinkNotFound | StorageError>> => {
        const found = await store.find(lookup, 0)
        if (found.isErr()) return err(found.error)
        if (found.value === undefined) return err({ code: 'link_not_found' })
        const decided = decide(found.value)
        return decided.isErr() ? err(decided.error) : store.update(lookup, formId, () => ok(decided.value))
      }
      return new ResultAsync(run())
    },
  }
}
