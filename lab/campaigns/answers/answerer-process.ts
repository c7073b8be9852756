// Answers a request simultaneously, as often as it is asked to: what a server does, without HTTP. Reads one task a line. Writes one line for
// each answer when it is acknowledged or refused, and a last one.
//
// arguments: directory, and `read-then-write` for a store that is broken on purpose
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import {
  createRequests,
  type AnswerChange,
  type FoundRequest,
  type RequestNotFound,
  type RequestStore,
} from '@sotto/core'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { openPlace, placeIn } from '../support/place.ts'
import { givenDatabase } from '../support/postgres.ts'

/** Somebody with a form, at an address of his own. */
export interface Answerer {
  readonly formId: string
  readonly note: string
  readonly address: string
}

export interface AnswersTask {
  readonly token: string
  readonly answerers: readonly Answerer[]
  /** The process kills itself with SIGKILL when an answer is durable, before it says so. */
  readonly diesUnheard?: boolean
}

/** What became of one answer; the last line of a task has none. */
export interface AnswerLine {
  readonly formId?: string
  /** When it was received; `undefined` when the link was dead. */
  readonly receivedAtMicros?: number
  /** The code of an error that nobody should get. */
  readonly unexpected?: string
}

const [directory = '', flaw] = process.argv.slice(2)
const place = placeIn(directory, givenDatabase())
const { ports, close } = await openPlace(place)
const requests = flaw === undefined ? ports.requests : readThenWrite(ports.requests)
const { answerRequest } = createRequests({ ports: { ...ports, requests }, policy: place.settings.policy })

const say = (line: AnswerLine | { readonly ready: true }): void =>
  void process.stdout.write(`${JSON.stringify(line)}\n`)
say({ ready: true })
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { token, answerers, diesUnheard = false } = JSON.parse(line) as AnswersTask
  const answers = answerers.map((answerer) => answerOnce(token, answerer, diesUnheard))
  void Promise.all(answers).then(() => say({}))
})
lines.on('close', () => void close().then(() => process.exit(0)))

/** One answerer, who sends the form again as often as the error allows it. */
async function answerOnce(
  token: string,
  { formId, note, address }: Answerer,
  diesUnheard: boolean,
): Promise<void> {
  for (;;) {
    const answered = await answerRequest({ token, note, address, formId })
    if (diesUnheard && answered.isOk()) process.kill(process.pid, 'SIGKILL')
    const line = lineOf(formId, answered)
    if (line !== undefined) {
      say(line)
      return
    }
    await pause(20 + Math.random() * 180)
  }
}

/** `undefined` when the form is to be sent again. */
function lineOf(
  formId: string,
  answered: Result<{ readonly receivedAtMicros: number }, { readonly code: string }>,
): AnswerLine | undefined {
  if (answered.isOk()) return { formId, receivedAtMicros: answered.value.receivedAtMicros }
  const { code } = answered.error
  if (code === 'request_not_found') return { formId }
  return code === 'storage_unavailable' ? undefined : { formId, unexpected: code }
}

/** The store, which decides on what it has read before, as if nobody else wrote in between. */
function readThenWrite(store: RequestStore): RequestStore {
  return {
    ...store,
    answer<Change extends AnswerChange, E>(
      digest: Uint8Array,
      answerer: Parameters<RequestStore['answer']>[1],
      draft: Parameters<RequestStore['answer']>[2],
      decide: (found: FoundRequest) => Result<Change, E>,
    ) {
      return store
        .findByDigest(digest, Date.now() * 1_000, answerer)
        .andThen((found): Result<Result<Change, E>, RequestNotFound> =>
          found === undefined ? err({ code: 'request_not_found' }) : ok(decide(found)),
        )
        .andThen((decision) => new ResultAsync(pause(1).then(() => ok(decision))))
        .andThen((decision) =>
          decision.isErr()
            ? errAsync<Change, E>(decision.error)
            : store.answer(digest, answerer, draft, () => decision),
        )
    },
  }
}
