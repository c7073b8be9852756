import type { Translation } from '../translation.ts'

export const notifications = {
  heading: 'Notifications',
  /** Names the box of a secret that asks for notifications. */
  lead: 'About each secret with “Tell me when it is opened”: when it is opened, when wrong passwords lock it, and when it expires unopened.',
  /** Too many tests of mails and webhooks in a short time. */
  tooManyTests: 'No test was sent: there were too many. You can send the next one {when}.',
  mails: {
    heading: 'Mails',
    lead: 'They go to {email} and never contain the text, the link or the password of a secret.',
    enabled: 'Send mails when a secret is opened, locked or expires unopened',
    nameLabels: 'Show the secret’s title in them',
    save: 'Save',
    test: 'Send test mail',
    testFailed: 'The test mail could not be sent: {reason}.',
    /** The installation has no mail server. */
    unavailable: 'This service sends no mails: its operator has not set up a mail server.',
    /** The account has no email address. */
    noEmail: 'Your account has no email address, so you get no mails.',
  },
  /** What an action on the page did. */
  done: {
    mailsSaved: 'Your choice is saved.',
    mailTested: 'The mail server has taken the test mail. It should reach you shortly.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type NotificationsTexts = Translation<typeof notifications>
