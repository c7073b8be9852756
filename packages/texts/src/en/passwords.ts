import type { Translation } from '../translation.ts'

/** Asking for a new password. */
export const passwords = {
  lead: 'Enter the email address of your account. You get a mail with a one-time link to choose a new password with. If you were invited, use the link of your invitation.',
  submit: 'Send the link',
  tooMany: 'Too many mails were asked for. You can ask again {when}.',
  /** The text where no mails are sent. */
  operator:
    'This service cannot mail you a link. Its operator can give you a one-time link to choose a new password with.',
  contact: 'Contact: {contact}',
  done: {
    passwordChanged: 'Your password is changed, and all other sessions are ended.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type PasswordsTexts = Translation<typeof passwords>
