import type { Language } from '../shared/language.ts'
import type { Uuid } from '../shared/uuid.ts'

/** The name of an account: an email address, or the id that an embedding application has for its user. Exactly one is set. */
export interface AccountName {
  /** Normalised by `normalizeEmail`. */
  readonly email: string | undefined
  readonly externalId: string | undefined
}

/** A user of the service: owns folders, secrets and access tokens. */
export interface Account extends AccountName {
  readonly id: Uuid
  readonly createdAtMicros: number
  /** Set when the account was disabled: its access tokens are refused from then on. */
  readonly disabledAtMicros: number | undefined
  /** The language that the owner chose for pages and mails; `undefined` follows the browser. */
  readonly language: Language | undefined
  readonly mails: MailChoice
  /** Whether the owner wanted to hear of the opens of the secret that was created last on the pages. */
  readonly notifies: boolean
  /** The name that recipients see; `undefined` when there is none. */
  readonly displayName: string | undefined
  /**
   * Whether the account was made for an identity that the operator allows, and was not released since. The owner of a held account has to be
   * allowed at every sign-in, and signs in at the identity provider only: a password or a passkey proves who they are, no more.
   */
  readonly isHeld: boolean
}

/** The mails about secrets that an owner wants. */
export interface MailChoice {
  /** Whether mails are sent at all, to an account that has an email address. */
  readonly enabled: boolean
  /** Whether they name the secret's label. */
  readonly nameLabels: boolean
}

/** What an account begins with. */
export const defaultMailChoice: MailChoice = { enabled: true, nameLabels: false }

/** The name as one text, to be encrypted and indexed: `email:…` or `external:…`. */
export function accountNameText({ email, externalId }: AccountName): string {
  return email === undefined ? `external:${externalId ?? ''}` : `email:${email}`
}

/** Reads what {@link accountNameText} wrote; `undefined` when it is something else. */
export function parseAccountName(text: string): AccountName | undefined {
  const [, kind, name] = /^(email|external):(.+)$/s.exec(text) ?? []
  if (kind === undefined || name === undefined) return undefined
  return kind === 'email' ? { email: name, externalId: undefined } : { email: undefined, externalId: name }
}
