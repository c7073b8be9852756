/** No mails can be sent here, or the account has no email address. */
export interface MailUnavailable {
  readonly code: 'mail_unavailable'
}
export const mailUnavailable: MailUnavailable = { code: 'mail_unavailable' }

/** Too many mails were asked for, for this account, to this email, or from this address: try again after `retryAfterSeconds`. */
export interface TooManyMails {
  readonly code: 'too_many_mails'
  readonly retryAfterSeconds: number
}
