import { err, ok } from 'neverthrow'
import { showDisplayName } from '../accounts/accounts.ts'
import { aBoolean, aString } from '../shared/inputs.ts'
import { token } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import type { Uuid } from '../shared/uuid.ts'
import {
  answering,
  checkAnswer,
  checkAnswerNeeds,
  findToAnswer,
  findToAnswerNeeds,
  mayHaveFiles,
  requestDigest,
} from './answerable.ts'
import { answersLeft } from './answering.ts'
import { requestNotFound } from './errors.ts'
import { showRequest } from './show-request.ts'

// What somebody without an account learns from the link of a request, before an answer is handed in.

/** What anybody with the link of a request may know. */
export interface RequestPreview {
  /** The display name of the request's owner; `undefined` when there is none. */
  readonly from: string | undefined
  readonly title: string
  readonly text: string
  readonly closesAtMicros: number
  /** How long it takes until the request closes, in whole seconds. */
  readonly remainingSeconds: number
  /** The largest file that an answer may have, in bytes; `undefined` when it may have none. */
  readonly fileMaxBytes: number | undefined
  /** Only where an answer has to be encrypted for the owner of the request: what it is encrypted with, see `requestKeyShape`. */
  readonly key?: string
  /** Only with a key: how many bytes the text and the list of its files may have before they are encrypted. */
  readonly noteMaxBytes?: number
}

/**
 * Finds out what is asked for. Changes nothing, so previews, scanners and reloads are harmless.
 * @errors `request_not_found`, the same for an unknown, malformed, expired, full or closed link
 */
export const previewRequest = useCase({
  needs: [
    'requests.findByDigest',
    'digests.opaqueTokenDigest',
    'textCipher.decryptText',
    'clock.nowMicros',
    'policy.files',
    'policy.noteMaxBytes',
  ],
  takes: token,
  async run({ requests, digests, textCipher, clock, policy }, { token }) {
    const nowMicros = clock.nowMicros()
    const found = await requests.findByDigest(requestDigest(digests, token), nowMicros)
    if (found.isErr()) return found
    const record = found.value
    if (record === undefined || answersLeft(record, nowMicros) === 0) return err(requestNotFound)
    const from = showDisplayName(textCipher, record.request.accountId, record.from)
    return showRequest(textCipher, record).map(({ title, text, closesAtMicros, key }): RequestPreview => {
      const remainingSeconds = Math.floor((closesAtMicros - nowMicros) / 1_000_000)
      const fileMaxBytes = mayHaveFiles(policy, record) ? policy.files?.maxBytes : undefined
      return {
        ...{ from, title, text, closesAtMicros, remainingSeconds, fileMaxBytes },
        ...(key !== undefined && { key, noteMaxBytes: policy.noteMaxBytes }),
      }
    })
  },
})

/** An answer that could be handed in now, or was by the same form. */
export interface Admission {
  /** The request's id, and the account that files are uploaded for. Nobody without an account is told either. */
  readonly requestId: Uuid
  readonly accountId: Uuid
  /** How many answers the request still takes. */
  readonly answersLeft: number
  /** Whether the answer may have files. */
  readonly takesFiles: boolean
  /** When the form handed in its answer; `undefined` when it has not. */
  readonly receivedAtMicros: number | undefined
}

/**
 * Whether an answer could be handed in now, before it is read, and while its files arrive. Counts nothing.
 * @errors `request_not_found`, as `previewRequest`; `too_many_answers` after 20 in an hour from the address; `answer_not_sealed` and
 * `fields_invalid` for a note; none of them for a form that has handed in its answer
 */
export const admitAnswer = useCase({
  needs: [...findToAnswerNeeds, ...checkAnswerNeeds, 'clock.nowMicros', 'policy.files'],
  takes: answering.takes,
  mayTake: {
    ...answering.mayTake,
    /** What is to be handed in, which is checked too, once it is known. */
    note: aString,
    /** Whether there is at least one file beside the note. False by default. */
    hasFiles: aBoolean,
  },
  async run(deps, { note, hasFiles = false, ...input }) {
    const nowMicros = deps.clock.nowMicros()
    const looked = await findToAnswer(deps, input, nowMicros)
    if (looked.isErr()) return looked
    const { found } = looked.value
    const { request, receivedAtMicros } = found
    if (note !== undefined && receivedAtMicros === undefined) {
      const checked = checkAnswer(deps, found, { note, hasFiles })
      if (checked.isErr()) return checked
    }
    return ok<Admission>({
      requestId: request.id,
      accountId: request.accountId,
      answersLeft: answersLeft(found, nowMicros),
      takesFiles: mayHaveFiles(deps.policy, found),
      receivedAtMicros,
    })
  },
})
