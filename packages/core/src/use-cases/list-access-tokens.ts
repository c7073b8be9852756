import type { AccessToken } from '../entities/access-token.ts'
import type { Uuid } from '../entities/uuid.ts'
import type { DecryptError, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { slicesOf, type Slices } from './slices.ts'

/** The account's access tokens, revoked and expired ones included, by creation and id. Never the tokens' text. */
export function listAccessTokens(
  { accessTokens, textCipher }: Pick<Ports, 'accessTokens' | 'textCipher'>,
  { accountId }: { readonly accountId: Uuid },
): Slices<AccessToken, DecryptError | StorageError> {
  return slicesOf({
    read: (after, limit) => accessTokens.slice(accountId, after, limit),
    positionOf: ({ createdAtMicros, id }) => ({ createdAtMicros, id }),
    show: ({ accountId: _, name, ...token }) =>
      textCipher
        .decryptText({ column: 'access_token.name', accountId, rowId: token.id }, name)
        .map((text) => ({ ...token, name: text })),
  })
}
