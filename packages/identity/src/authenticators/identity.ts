import type { DataCorrupted, DecryptError, Encrypted, TextCipher, TextPlace, Uuid } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'

/** How many identities an account has at most. */
export const identitiesMax = 5

/**
 * How an identity came to its account: its owner connected it, somebody took an invitation with it, or the account was made for it because the
 * operator allows that. Whether it has to be allowed at every sign-in depends on the account (`Account.isHeld`), not on this.
 */
export type IdentityOrigin = 'connected' | 'invited' | 'allowed'

/** The name of somebody at an identity provider, for ever: an email address there may be given to somebody else, a subject may not. */
export interface IdentityName {
  readonly issuer: string
  readonly subject: string
}

/** An identity with which an account's owner signs in. */
export interface Identity {
  readonly id: Uuid
  readonly issuer: string
  readonly origin: IdentityOrigin
  readonly createdAtMicros: number
  /** `undefined` until somebody signs in with it. */
  readonly lastUsedAtMicros: number | undefined
  /** When it was refused because the operator does not allow it any more; `undefined` once it is allowed again. */
  readonly refusedAtMicros: number | undefined
}

/** An identity as it is stored. */
export interface StoredIdentity extends Omit<Identity, 'issuer'> {
  readonly accountId: Uuid
  /** Issuer and subject, as `identityText` spells them. */
  readonly name: Encrypted
}

/** The name as one text, to be encrypted and indexed: the issuer, a space, the subject. No issuer has a space in it. */
export function identityText({ issuer, subject }: IdentityName): string {
  return `${issuer} ${subject}`
}

/** Reads what {@link identityText} wrote; `undefined` when it is something else. */
export function parseIdentity(text: string): IdentityName | undefined {
  const [, issuer, subject] = /^(\S+) (.+)$/s.exec(text) ?? []
  return issuer === undefined || subject === undefined ? undefined : { issuer, subject }
}

/** Where the name of an identity is stored. */
export function identityPlace(accountId: Uuid, id: Uuid): TextPlace {
  return { column: 'identity.name', accountId, rowId: id }
}

/** A stored identity as its owner sees it. */
export function showIdentity(
  cipher: Pick<TextCipher, 'decryptText'>,
  { name, accountId, ...columns }: StoredIdentity,
): Result<Identity, DecryptError> {
  const { id, origin, createdAtMicros, lastUsedAtMicros, refusedAtMicros } = columns
  return cipher
    .decryptText(identityPlace(accountId, id), name)
    .andThen((text): Result<Identity, DataCorrupted> => {
      const issuer = parseIdentity(text)?.issuer
      if (issuer === undefined) return err({ code: 'data_damaged', what: 'identity.name', id })
      return ok({ id, issuer, origin, createdAtMicros, lastUsedAtMicros, refusedAtMicros })
    })
}
