import type { MailTexts } from './texts.ts'

export const en: MailTexts = {
  locale: 'en-GB',
  direction: 'ltr',
  opened: {
    heading: { one: 'Your secret was opened', other: 'Your secret was opened {count} times' },
    usedUp: 'It was opened for the last time, which deleted its note. The link no longer works.',
  },
  locked: {
    heading: 'Your secret is locked',
    lead: 'Too many wrong passwords were entered at its link. The page of the secret shows until when it is locked, or that it is disabled.',
  },
  expired: {
    heading: 'Your secret has expired unopened',
    lead: 'Nobody opened it in time. Its note is deleted, and the link no longer works.',
  },
  facts: {
    label: 'Label',
    time: 'Time',
    latest: 'Last opened',
    expired: 'Expired',
    opens: 'Opens so far',
    opensLeft: 'Opens left',
    unlimited: 'No limit',
    expires: 'Expires',
    page: 'Its page was',
  },
  seeSecret: 'See the secret',
  why: 'You get this mail because “Tell me when it is opened” is chosen for the secret.',
  settings: 'In the settings you choose which mails you get: {url}',
  welcome: {
    once: 'The link works once. Whoever has it can choose the password, so do not pass it on.',
    validUntil: 'Works until',
  },
  invite: {
    subject: 'Your account at {name}',
    heading: 'Welcome',
    lead: 'There is an account for you at {name}. To use it, choose a password.',
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
  test: { heading: 'Test mail', lead: 'This is a test: mails from {name} arrive here.' },
}
