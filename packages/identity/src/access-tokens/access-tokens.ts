import { allScopes, labelError, uuidToFind, type FieldError, type FieldsInvalid } from '@sotto/core'
import {
  aListOfStrings,
  aNumber,
  aString,
  account,
  accountAndId,
  addError,
  creationOf,
  foundOr,
  newId,
  pages,
  pagesOf,
  underActiveKey,
} from '@sotto/core/building-blocks'
import { err, ok } from 'neverthrow'
import { listCase, useCase } from '../use-case.ts'
import { makeAccessToken, type AccessToken } from './access-token.ts'
import { accessTokenNotFound } from './errors.ts'
import { parseScopes, tokenLifetimeError } from './token-fields.ts'

/** A token that was just made, with its text. It cannot be read again. */
export interface NewAccessToken extends AccessToken {
  readonly token: string
}

/**
 * Makes an access token of an account.
 * @errors `fields_invalid` with every invalid field, `account_not_found`
 */
export const createAccessToken = useCase({
  needs: [
    'accessTokens.insert',
    'textCipher.encryptText',
    'keyRing.follow',
    'digests.accessTokenDigest',
    'clock.nowMicros',
    'random.bytes',
  ],
  takes: {
    ...account,
    /** What it is for: 1 to 255 code points, nothing that people do not see. */
    name: aString,
  },
  mayTake: {
    /** Names of scopes; all of them by default. */
    scopes: aListOfStrings,
    /** The seconds after which it expires, up to ten years; never by default. */
    expiresInSeconds: aNumber,
  },
  async run(deps, { accountId, name, scopes = allScopes, expiresInSeconds }) {
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
    if (parsedScopes === undefined || errors.length > 0)
      return err<never, FieldsInvalid>({ code: 'fields_invalid', errors })

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
    return inserted.isErr() ? inserted : ok<NewAccessToken>({ ...unused, name, token })
  },
})

/** The account's access tokens, revoked and expired ones included, by creation and id. Never the tokens' text. */
export const listAccessTokens = listCase({
  needs: ['accessTokens.page', 'textCipher.decryptText'],
  takes: account,
  mayTake: pages,
  run({ accessTokens, textCipher }, { accountId, after: first, pageSize }) {
    return pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => accessTokens.page(accountId, after, limit),
      cursorOf: creationOf,
      show: ({ accountId: _, name, ...token }) =>
        textCipher
          .decryptText({ column: 'access_token.name', accountId, rowId: token.id }, name)
          .map((text): AccessToken => ({ ...token, name: text })),
    })
  },
})

/**
 * Revokes an access token: it is refused from now on, for good.
 * @errors `access_token_not_found`, the same for an unknown, malformed or another account's id
 */
export const revokeAccessToken = useCase({
  needs: ['accessTokens.revoke', 'clock.nowMicros'],
  takes: accountAndId,
  async run({ accessTokens, clock }, { accountId, id }) {
    const revoked = await accessTokens.revoke(accountId, uuidToFind(id), clock.nowMicros())
    return revoked.andThen(foundOr(accessTokenNotFound))
  },
})
