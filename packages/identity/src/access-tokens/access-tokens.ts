import {
  allScopes,
  type Uuid,
  uuidToFind,
  type AccountNotFound,
  type FieldError,
  type FieldsInvalid,
  type KeyRetired,
  type StorageError,
  type TextCipher,
  type Digests,
  type Clock,
  type Random,
  labelError,
  type ListInput,
  type Pages,
} from '@sotto/core'
import {
  type KeyUnknown,
  type KeyRing,
  addError,
  underActiveKey,
  foundOr,
  newId,
  creationOf,
  pagesOf,
} from '@sotto/core/building-blocks'
import { type Result, ResultAsync, err, ok } from 'neverthrow'
import { type AccessToken, makeAccessToken } from './access-token.ts'
import type { AccessTokenNotFound } from './errors.ts'
import type { AccessTokenStore } from './access-token-store.ts'
import { parseScopes, tokenLifetimeError } from './token-fields.ts'

export interface CreateAccessTokenDeps {
  readonly accessTokens: Pick<AccessTokenStore, 'insert'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly digests: Pick<Digests, 'accessTokenDigest'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly clock: Clock
  readonly random: Random
}
export type CreateAccessTokenError = FieldsInvalid | AccountNotFound | KeyRetired | StorageError
export interface CreateAccessTokenInput {
  readonly accountId: Uuid
  /** What it is for: 1 to 255 code points, nothing that people do not see. */
  readonly name: string
  /** Names of scopes; all of them by default. */
  readonly scopes?: readonly string[] | undefined
  /** The seconds after which it expires, up to ten years; never by default. */
  readonly expiresInSeconds?: number | undefined
}

/** A token that was just made, with its text. It cannot be read again. */
export interface NewAccessToken extends AccessToken {
  readonly token: string
}

/**
 * Makes an access token of an account.
 * @errors `fields_invalid` with every invalid field, `account_not_found`
 */
export function createAccessToken(
  deps: CreateAccessTokenDeps,
  input: CreateAccessTokenInput,
): ResultAsync<NewAccessToken, CreateAccessTokenError> {
  return new ResultAsync(create(deps, input))
}

async function create(
  deps: CreateAccessTokenDeps,
  { accountId, name, scopes = allScopes, expiresInSeconds }: CreateAccessTokenInput,
): Promise<Result<NewAccessToken, CreateAccessTokenError>> {
  const { accessTokens, textCipher, keyRing, digests, clock, random } = deps
  const parsedScopes = parseScopes(scopes)
  const errors: FieldError[] = []
  addError(errors, 'name', labelError(name))
  addError(errors, 'scopes', parsedScopes === undefined ? { rule: 'unknown_scope' } : undefined)
  addError(
    errors,
    'expiresIn',
    expiresInSeconds === undefined ? undefined : tokenLifetimeError(expiresInSeconds),
  )
  if (parsedScopes === undefined || errors.length > 0) return err({ code: 'fields_invalid', errors })

  const nowMicros = clock.nowMicros()
  const unused = {
    id: newId(random, nowMicros),
    scopes: parsedScopes,
    createdAtMicros: nowMicros,
    expiresAtMicros: expiresInSeconds === undefined ? undefined : nowMicros + expiresInSeconds * 1_000_000,
    revokedAtMicros: undefined,
    lastUsedAtMicros: undefined,
  }
  const token = makeAccessToken((count) => random.bytes(count))
  const inserted = await underActiveKey(keyRing, () => {
    const place = { column: 'access_token.name', accountId, rowId: unused.id } as const
    const stored = { ...unused, accountId, name: textCipher.encryptText(place, name) }
    return accessTokens.insert(stored, digests.accessTokenDigest(token))
  })
  return inserted.isErr() ? err(inserted.error) : ok({ ...unused, name, token })
}

export interface ListAccessTokensDeps {
  readonly accessTokens: Pick<AccessTokenStore, 'page'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
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

export interface RevokeAccessTokenDeps {
  readonly accessTokens: Pick<AccessTokenStore, 'revoke'>
  readonly clock: Clock
}
export interface RevokeAccessTokenInput {
  readonly accountId: Uuid
  readonly id: string
}
export type RevokeAccessTokenError = AccessTokenNotFound | StorageError

/**
 * Revokes an access token: it is refused from now on, for good.
 * @errors `access_token_not_found`, the same for an unknown, malformed or another account's id
 */
export function revokeAccessToken(
  { accessTokens, clock }: RevokeAccessTokenDeps,
  { accountId, id }: RevokeAccessTokenInput,
): ResultAsync<void, RevokeAccessTokenError> {
  return accessTokens
    .revoke(accountId, uuidToFind(id), clock.nowMicros())
    .andThen(foundOr('access_token_not_found'))
}
