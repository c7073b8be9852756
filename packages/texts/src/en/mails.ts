import type { Translation } from '../translation.ts'
import { requestMails } from './requests.ts'

export const mails = {
  opened: {
    /** The heading of a mail that reports opens. Headings of events are also subjects. */
    heading: { one: 'Your secret was opened', other: 'Your secret was opened {count} times' },
    /** The line after the last open that was allowed. */
    usedUp: 'It was opened for the last time, which deleted its text. The link no longer works.',
  },
  /** The link is locked for a while, or disabled: the mail does not know which. */
  locked: {
    heading: 'Your secret is locked',
    lead: 'Too many wrong passwords were entered at its link. The page of the secret shows until when it is locked, or that it is disabled.',
  },
  expired: {
    heading: 'Your secret has expired unopened',
    lead: 'Nobody opened it in time. Its contents are deleted, and the link no longer works.',
  },
  requests: requestMails,
  /** The names that stand before a value, without a colon. */
  facts: {
    label: 'Title',
    /** When it happened. */
    time: 'Time',
    /** When the latest of several opens was. */
    latest: 'Last opened',
    expired: 'Expired',
    opens: 'Opens so far',
    opensLeft: 'Opens left',
    /** The value of `opensLeft` without limit. */
    unlimited: 'No limit',
    expires: 'Expires',
    /** The address of a page that is gone. */
    page: 'Its page was',
  },
  /** The text of the button that leads to the secret's page. */
  seeSecret: 'See the secret',
  /** Why the owner gets mails about this secret. It quotes the field of the page that makes a secret. */
  why: 'You get this mail because “Tell me when it is opened” is chosen for the secret.',
  settings: 'In the settings you choose which mails you get: {url}',
  invitation: {
    once: 'The link works once. Whoever has it can choose the password, so do not pass it on.',
    validUntil: 'Works until',
  },
  /** Says who invites, and to what. */
  invite: {
    subject: 'An invitation from {name}',
    heading: 'You are invited',
    lead: '{name} invites you to {host}. There you hand over passwords and other confidential text by links that work only as often and as long as you choose. There is an account for you: choose a password to use it.',
    action: 'Choose a password',
    ignore: 'If you did not expect this mail, ignore it.',
  },
  reset: {
    subject: 'A new password at {name}',
    heading: 'Choose a new password',
    lead: 'Somebody asked for a new password for your account at {name}.',
    action: 'Choose a new password',
    ignore: 'If you did not ask for this mail, ignore it.',
  },
  /** A mail with the link that confirms a new email address. */
  confirm: {
    subject: 'Confirm your email address at {name}',
    heading: 'Confirm your new email address',
    lead: 'The owner of an account at {name} wants to use this email address from now on. It takes effect when you confirm it.',
    action: 'Confirm the address',
    ignore: 'If you did not ask for this mail, ignore it: nothing changes then.',
  },
  notices: {
    password_changed: {
      subject: 'Your password at {name} was changed',
      heading: 'Your password was changed',
      lead: 'Your account at {name} has a new password, and its other sessions are ended.',
      next: 'If that was not you, choose a new password now and tell the operator of the service.',
    },
    email_changed: {
      subject: 'Your email address at {name} was changed',
      heading: 'Your email address was changed',
      lead: 'Your account at {name} has another email address now. You sign in with that one, and this address gets no more mails about the account.',
      next: 'If that was not you, tell the operator of the service immediately: only the operator can give you the account back.',
    },
    mails_off: {
      subject: 'Mails from {name} are switched off',
      heading: 'Mails about your secrets are switched off',
      lead: 'In the settings of your account at {name}, mails about your secrets were switched off. This is the last one.',
      next: 'If that was not you, change your password and switch them on again.',
    },
    email_taken: {
      subject: 'Your email address at {name}',
      heading: 'This address has an account already',
      lead: 'Somebody wants to use this email address for another account at {name}. It belongs to your account, so nothing has changed.',
      next: 'If that was you: sign in with this address to use the account that it belongs to. If not, there is nothing to do.',
    },
  },
  test: { heading: 'Test mail', lead: 'This is a test: mails from {name} arrive here.' },
} as const

/** The texts of all mails, in one language, with the words of the owner's pages. Plain text without markup. */
export type MailTexts = Translation<typeof mails>
