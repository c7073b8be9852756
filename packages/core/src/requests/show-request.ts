import { err, ok, type Result } from 'neverthrow'
import type { TextCipher } from '../shared/cipher.ts'
import type { DataCorrupted, DecryptError } from '../shared/errors.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { RequestRecord } from './request-store.ts'
import { parseRequestContent, type SecretRequest } from './request.ts'

/** A stored request as its owner sees it. */
export function showRequest(
  cipher: Pick<TextCipher, 'decryptText'>,
  { request, state }: RequestRecord,
): Result<SecretRequest, DecryptError> {
  const { accountId, content, ...columns } = request
  return cipher
    .decryptText(contentPlace(accountId, request.id), content)
    .andThen((text): Result<SecretRequest, DataCorrupted> => {
      const parsed = parseRequestContent(text)
      return parsed === undefined
        ? err({ code: 'data_damaged', what: 'request.content', id: request.id })
        : ok({ ...columns, ...state, ...parsed })
    })
}

/** Where the content of a request is stored. */
export function contentPlace(accountId: Uuid, rowId: Uuid) {
  return { column: 'request.content', accountId, rowId } as const
}
