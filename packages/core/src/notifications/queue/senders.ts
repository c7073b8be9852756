import type { ResultAsync } from 'neverthrow'
import type { Language } from '../../shared/language.ts'
import type { OwnerEvent } from './owner-event.ts'
import type { Uuid } from '../../shared/uuid.ts'

/** A message was not delivered, as far as is known. */
export interface SendFailed {
  readonly code: 'send_failed'
  /**
   * A few words for owner and operator, such as `timeout`, `connection refused`, `status 503` or `address not allowed`. Never anything
   * confidential, and nothing that the other side has sent but a status.
   */
  readonly reason: string
  /**
   * - `retry`: the same message may succeed later.
   * - `never`: it cannot succeed, such as a recipient that the mail server refuses.
   * - `gone`: nothing may be sent to this webhook any more (410).
   */
  readonly verdict: 'retry' | 'never' | 'gone'
  /** The seconds after which the other side wants to be asked again, at the earliest. */
  readonly retryAfterSeconds?: number
}

/**
 * What an owner is told of.
 * - `password_changed`: the account's password was replaced.
 * - `mails_off`: its mails were switched off.
 * - `email_changed`: this address was replaced by another one, which the mail does not name.
 * - `email_taken`: somebody wants this address for another account; it stays where it is.
 */
export type MailNotice = 'password_changed' | 'email_changed' | 'mails_off' | 'email_taken'

/** What a mail says. */
export type MailContent =
  /** A mail about a secret or a request: what happened, and how often (`count`, at least 1, for opens that one mail reports). */
  | {
      readonly kind: 'event'
      readonly event: OwnerEvent
      readonly count: number
      /** The secret's label, or the request's title; only where its owner chose that mails name it. */
      readonly label: string | undefined
    }
  /** A one-time link to choose a password with. `url` is confidential. */
  | {
      readonly kind: 'invitation'
      readonly invitation: InvitationKind
      readonly url: string
      readonly expiresAtMicros: number
    }
  /** The link with which an owner confirms a new email address, which the mail is sent to. `url` is confidential. */
  | { readonly kind: 'confirm'; readonly url: string; readonly expiresAtMicros: number }
  /** Something that an owner has to know of, because a thief may have done it. */
  | { readonly kind: 'notice'; readonly notice: MailNotice }
  /** A test, which shows that mails arrive. */
  | { readonly kind: 'test' }

/** A mail to be sent: to whom, in which language, about what. The adapter writes its text. */
export interface Mail {
  /** The id of the message, one for all attempts to send it: it becomes the Message-ID (RFC 5322, section 3.6.4). */
  readonly id: Uuid
  /** An email address, normalised by `normalizeEmail`. */
  readonly to: string
  readonly language: Language
  /** When what it reports happened. */
  readonly atMicros: number
  readonly content: MailContent
}

/** Sends mails. Never throws or rejects. */
export interface MailSender {
  /**
   * Ok once the mail server has taken the mail. Ends within 20 seconds. To a recipient that `emailError` refuses, as accounts of an earlier
   * version may have, nothing is sent: `never`.
   */
  send(mail: Mail): ResultAsync<void, SendFailed>
}

/** Why a one-time link was made: for a new account, or for one whose owner has no password any more. */
export type InvitationKind = 'invite' | 'reset'
