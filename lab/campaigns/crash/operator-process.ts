// Works on an installation beside servers and other processes, without HTTP: drafts, opens and answers through the core. Reads one request a
// line and answers each with one line when its use-case has answered. The installation is opened as the command opens it, at the first line.
//
// arguments: directory, and `read-then-write` for a store that is broken on purpose
import { createInterface } from 'node:readline'
import { createSotto, type Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { openPlace, placeIn } from '../support/place.ts'
import { givenDatabase } from '../support/postgres.ts'
import { readThenWrite } from './flaw.ts'

/**
 * A request to the process; the answer has the same `nr`. Where it `diesUnheard`, the process kills itself with SIGKILL when the request is
 * durable, before it says so.
 */
export type OperatorRequest = { readonly nr: number; readonly diesUnheard?: boolean } & (
  | {
      readonly task: 'save'
      readonly accountId: Uuid
      readonly folderId: Uuid
      readonly label: string
      readonly note: string
      readonly openLimit: number | undefined
    }
  | { readonly task: 'share' | 'delete'; readonly accountId: Uuid; readonly id: string }
  | {
      readonly task: 'open'
      readonly token: string
      readonly password?: string | undefined
      readonly proof?: string | undefined
    }
  | {
      readonly task: 'answer'
      readonly token: string
      readonly formId: string
      readonly note: string
      readonly address: string
    }
)

/**
 * `code` is that of the error; or `outcome_unknown` when it may have taken effect, `attempts_under_way` when a link is locked by them alone.
 * Without one the request succeeded.
 */
export interface OperatorAnswer {
  readonly nr: number
  readonly code?: string
  readonly id?: string
  readonly token?: string
  readonly note?: string
  /** The ticket for the file of a secret that was opened. */
  readonly ticket?: string
  readonly receivedAtMicros?: number
}

type Sotto = Pick<
  Installation['sotto'],
  'saveDraft' | 'shareDraft' | 'deleteDraft' | 'openSecret' | 'answerRequest'
>

const [directory = '', flaw] = process.argv.slice(2)
const place = placeIn(directory, givenDatabase())
let opening: Promise<Installation & { readonly asked: Sotto }> | undefined
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const request = JSON.parse(line) as OperatorRequest
  opening ??= open()
  void opening
    .then(({ asked }) => perform(asked, request))
    .then((answer) => {
      if (request.diesUnheard === true && answer.code === undefined) process.kill(process.pid, 'SIGKILL')
      process.stdout.write(`${JSON.stringify({ ...answer, nr: request.nr })}\n`)
    })
})
lines.on('close', () => void end())

async function open(): Promise<Installation & { readonly asked: Sotto }> {
  const installation = await openPlace(place)
  if (flaw === undefined) return { ...installation, asked: installation.sotto }
  const ports = readThenWrite(installation.ports)
  return { ...installation, asked: createSotto({ ports, policy: place.settings.policy }) }
}

async function end(): Promise<void> {
  await (await opening)?.close()
  process.exit(0)
}

async function perform(sotto: Sotto, request: OperatorRequest): Promise<Omit<OperatorAnswer, 'nr'>> {
  switch (request.task) {
    case 'save': {
      const { accountId, folderId, label, note, openLimit } = request
      const saved = await sotto.saveDraft({ accountId, folderId, label, note, openLimit })
      return saved.isOk() ? { id: saved.value.id } : { code: codeOf(saved.error) }
    }
    case 'share': {
      const shared = await sotto.shareDraft({ accountId: request.accountId, id: request.id })
      return shared.isOk() ? { token: shared.value.link.token } : { code: codeOf(shared.error) }
    }
    case 'delete': {
      const deleted = await sotto.deleteDraft({ accountId: request.accountId, id: request.id })
      return deleted.isOk() ? {} : { code: codeOf(deleted.error) }
    }
    case 'open': {
      const { token, password, proof } = request
      const opened = await sotto.openSecret({ token, password, proof })
      if (opened.isErr()) return { code: codeOf(opened.error) }
      const { note, attached } = opened.value
      return { note, ...(attached !== undefined && { ticket: attached.ticket }) }
    }
    case 'answer': {
      const { token, formId, note, address } = request
      const answered = await sotto.answerRequest({ token, formId, note, address })
      if (answered.isErr()) return { code: codeOf(answered.error) }
      return { receivedAtMicros: answered.value.receivedAtMicros }
    }
  }
}

function codeOf({ code, reason = '' }: { readonly code: string; readonly reason?: string }): string {
  return ['outcome_unknown', 'attempts_under_way'].includes(reason) ? reason : code
}
