// Opens links, as many times at once as it is told: a server's work without the HTTP. Reads one request a line and answers each with
// one line when all of its opens have ended.
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
  type Ports,
  type StorageError,
} from '../../../packages/core/src/index.ts'
import { openPlace, placeIn } from '../support/place.ts'

export interface OpensRequest {
  readonly token: string
  readonly password?: string
  readonly times: number
  /** How many begin in the same turn of the event loop. */
  readonly perTurn: number
}

export interface OpensAnswer {
  readonly notes: readonly string[]
  /** Told that the link is gone. */
  readonly gone: number
  /** How often somebody was told to come again, and did. */
  readonly comeAgain: number
  /** Codes of answers that nobody should have had. */
  readonly strange: readonly string[]
}

const [directory = '', flaw] = process.argv.slice(2)
const installation = await openPlace(placeIn(directory))
const links = flaw === undefined ? installation.ports.links : readThenWrite(installation.ports.links)
const ports = { ...installation.ports, links }
process.stdout.write('{"ready":true}\n')
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const request = JSON.parse(line) as OpensRequest
  void openManyTimes(ports, request).then((answer) => process.stdout.write(`${JSON.stringify(answer)}\n`))
})
lines.on('close', () => void installation.close().then(() => process.exit(0)))

async function openManyTimes(ports: Ports, request: OpensRequest): Promise<OpensAnswer> {
  const answer = { notes: [] as string[], gone: 0, comeAgain: 0, strange: [] as string[] }
  const opens: Promise<void>[] = []
  while (opens.length < request.times) {
    for (let begun = 0; begun < request.perTurn && opens.length < request.times; begun += 1) {
      opens.push(openOnce(ports, request, answer))
    }
    await turn()
  }
  await Promise.all(opens)
  return answer
}

/** One recipient, who comes again as often as he is told to. */
async function openOnce(
  ports: Ports,
  { token, password }: OpensRequest,
  answer: { notes: string[]; gone: number; comeAgain: number; strange: string[] },
): Promise<void> {
  for (;;) {
    const opened = await openSecret(ports, { token, password })
    if (opened.isOk()) return void answer.notes.push(opened.value.note)
    const { error } = opened
    if (error.code === 'link_not_found') return void (answer.gone += 1)
    const patient =
      error.code === 'storage_unavailable' ||
      error.code === 'cipher_busy' ||
      (error.code === 'link_locked' && error.reason === 'attempts_under_way')
    if (!patient) return void answer.strange.push(error.code)
    answer.comeAgain += 1
    // They were told a second. Less is asking for more trouble.
    await pause(20 + Math.random() * 180)
  }
}

/** What several products shipped: look whether the link may be opened, then count. */
function readThenWrite(links: LinkStore): LinkStore {
  return {
    ...links,
    update: <Change extends LinkChange, E>(
      lookup: Uint8Array,
      formId: string | undefined,
      decide: (record: LinkRecord) => Result<Change, E>,
    ) => {
      const run = async (): Promise<Result<Change, E | LinkNotFound | StorageError>> => {
        const found = await links.find(lookup)
        if (found.isErr()) return err(found.error)
        if (found.value === undefined) return err({ code: 'link_not_found' })
        const decided = decide(found.value)
        return decided.isErr() ? err(decided.error) : links.update(lookup, formId, () => ok(decided.value))
      }
      return new ResultAsync(run())
    },
  }
}
