import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { AnsweredRequest, StoredAnswer } from '../drafts/draft-store.ts'
import { showListedDraft, type ListedDraft } from '../drafts/show-draft.ts'
import { splitNote } from '../files/file-rules.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import type { DataCorrupted, DecryptError } from '../shared/errors.ts'
import { aString } from '../shared/inputs.ts'
import { creationOf, pagesOf } from '../shared/pages.ts'
import { account, pages } from '../shared/shapes.ts'
import { listCase, useCase } from '../shared/use-case.ts'
import { uuidToFind } from '../shared/uuid.ts'

// Drafts that somebody handed in as answers to a request.

/** A draft that answers a request, with what was handed in. */
export interface Answer extends ListedDraft {
  readonly answers: AnsweredRequest
  /** `undefined` when its owner has given it a password. */
  readonly note: string | undefined
}

/** Answers that are drafts still, newest first. */
export const listAnswers = listCase({
  needs: ['drafts.answers', 'secretCipher.decryptHead', 'secretCipher.decryptNote'],
  takes: account,
  mayTake: {
    ...pages,
    /** Only the answers to this request, new or not. Without it those to all requests that the owner has not looked at yet. */
    requestId: aString,
  },
  run({ drafts, secretCipher }, { accountId, requestId, after: first, pageSize }) {
    const request = requestId === undefined ? undefined : uuidToFind(requestId)
    return pagesOf({
      after: first,
      pageSize,
      read: (after, limit) =>
        drafts
          .answers({ accountId, requestId: request }, after, limit)
          .andThen((rows) => new ResultAsync(decryptNotes(secretCipher, rows))),
      cursorOf: ({ secret }) => creationOf(secret),
      show: (row) => showAnswer(secretCipher, row),
    })
  },
})

/** How many answers the owner has not looked at yet, also those whose request has ended. */
export const countNewAnswers = useCase({
  needs: ['drafts.countNewAnswers'],
  takes: account,
  run: async ({ drafts }, { accountId }) => drafts.countNewAnswers(accountId),
})

type Decrypted = StoredAnswer & { readonly text: Result<string | undefined, DecryptError> }

async function decryptNotes(
  cipher: Pick<SecretCipher, 'decryptNote'>,
  rows: readonly StoredAnswer[],
): Promise<Result<readonly Decrypted[], never>> {
  const decrypted = rows.map(async (row): Promise<Decrypted> => {
    const { secret, note } = row
    if (secret.hasPassword) return { ...row, text: ok(undefined) }
    const text = await cipher.decryptNote(secret, note, undefined)
    // Nothing else can be wrong with a note that has no password.
    return { ...row, text: text.mapErr((error) => (error.code === 'key_unknown' ? error : damaged(secret))) }
  })
  return ok(await Promise.all(decrypted))
}

function showAnswer(
  cipher: Pick<SecretCipher, 'decryptHead'>,
  { secret, answers, filesCount, text }: Decrypted,
): Result<Answer, DecryptError> {
  return text.andThen((note): Result<Answer, DecryptError> => {
    const split = note === undefined ? { text: undefined } : splitNote(note)
    if (split === undefined) return err(damaged(secret))
    const facts = { answers, ...(filesCount !== undefined && { filesCount }) }
    return showListedDraft(cipher, { ...secret, ...facts }).map((draft) => ({
      ...draft,
      answers,
      note: split.text,
    }))
  })
}

function damaged({ id }: StoredAnswer['secret']): DataCorrupted {
  return { code: 'data_damaged', what: 'secret.note', id }
}
