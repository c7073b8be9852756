import type { AccessToken } from '../entities/access-token.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { KeyUnknown, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { creationOf, pagesOf, type ListInput, type Pages } from './pages.ts'

export type ListAccessTokensDeps = PortMethods<{ accessTokens: 'page'; textCipher: 'decryptText' }>
export interface ListAccessTokensInput extends ListInput {
  readonly accountId: Uuid
}
export type ListAccessTokensError = KeyUnknown | StorageError

/** The account's access tokens, revoked and expired ones included, by creation and id. Never the tokens' text. */
export function listAccessTokens(
  { accessTokens, textCipher }: ListAccessTokensDeps,
  { accountId, after: first, pageSize }: ListAccessTokensInput,
): Pages<AccessToken, ListAccessTokensError> {
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => accessTokens.page(accountId, after, limit),
    cursorOf: creationOf,
    show: ({ accountId: _, name, ...token }) =>
      textCipher
        .decryptText({ column: 'access_token.name', accountId, rowId: token.id }, name)
        .map((text) => ({ ...token, name: text })),
  })
}
