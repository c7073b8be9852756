// Does what an operator's commands do beside a running server: drafts, and opens through the core. Reads one request a line and answers
// each with one line when its use-case has answered. The installation is opened as the command opens it, at the first line.
import { createInterface } from 'node:readline'
import type { Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { openPlace, placeIn } from '../support/place.ts'
import { givenDatabase } from '../support/postgres.ts'

/** A request to the process; the answer has the same `nr`. */
export type OperatorRequest = { readonly nr: number; readonly accountId: Uuid } & (
  | {
      readonly task: 'save'
      readonly folderId: Uuid
      readonly label: string
      readonly note: string
      readonly openLimit: number | undefined
    }
  | { readonly task: 'share' | 'delete'; readonly id: string }
  | { readonly task: 'open'; readonly token: string }
)

/** `code` is that of the error, or `outcome_unknown` when it may have taken effect; without one the request succeeded. */
export interface OperatorAnswer {
  readonly nr: number
  readonly code?: string
  readonly id?: string
  readonly token?: string
  readonly note?: string
}

const [directory = ''] = process.argv.slice(2)
let opening: Promise<Installation> | undefined
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const request = JSON.parse(line) as OperatorRequest
  opening ??= openPlace(placeIn(directory, givenDatabase()))
  void opening
    .then(({ sotto }) => perform(sotto, request))
    .then((answer) => process.stdout.write(`${JSON.stringify({ ...answer, nr: request.nr })}\n`))
})
lines.on('close', () => void end())

async function end(): Promise<void> {
  await (await opening)?.close()
  process.exit(0)
}

async function perform(
  sotto: Installation['sotto'],
  request: OperatorRequest,
): Promise<Omit<OperatorAnswer, 'nr'>> {
  const { accountId } = request
  switch (request.task) {
    case 'save': {
      const { folderId, label, note, openLimit } = request
      const saved = await sotto.saveDraft({ accountId, folderId, label, note, openLimit })
      return saved.isOk() ? { id: saved.value.id } : { code: codeOf(saved.error) }
    }
    case 'share': {
      const shared = await sotto.shareDraft({ accountId, id: request.id })
      return shared.isOk() ? { token: shared.value.link.token } : { code: codeOf(shared.error) }
    }
    case 'delete': {
      const deleted = await sotto.deleteDraft({ accountId, id: request.id })
      return deleted.isOk() ? {} : { code: codeOf(deleted.error) }
    }
    case 'open': {
      const opened = await sotto.openSecret({ token: request.token })
      return opened.isOk() ? { note: opened.value.note } : { code: codeOf(opened.error) }
    }
  }
}

function codeOf(error: { readonly code: string; readonly reason?: string }): string {
  return error.reason === 'outcome_unknown' ? error.reason : error.code
}
