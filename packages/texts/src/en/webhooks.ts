import type { Translation } from '../translation.ts'

export const webhooks = {
  heading: 'Webhooks',
  lead: 'Each notification is posted as signed JSON to the addresses below, for programs that act on it.',
  none: { heading: 'No webhooks', lead: 'Add the address of a program that you want to tell.' },
  /** The installation posts nothing. */
  unavailable: 'This service posts no notifications to webhooks.',
  corrupted:
    'Some webhooks cannot be shown, because their data is corrupted. Ask the operator of this service.',
  active: 'Active',
  failing: 'Failing',
  disabled: 'Disabled',
  createdAt: 'Added {time}',
  failingSince: 'failing since {time}',
  disabledAt: 'disabled {time}',
  /** Why it was disabled. */
  reasons: {
    gone: 'The receiver answered that this address is no longer in use (410).',
    failing: 'Nothing could be delivered for three days.',
  },
  enableAgain: 'A test that is delivered enables it again.',
  test: 'Send test',
  testFailed: 'The test for {address} was not delivered: {reason}.',
  delete: 'Delete webhook',
  deleteHeading: 'Delete this webhook?',
  deleteLead:
    'Nothing is posted to this address from now on, not even notifications that wait for it. This cannot be undone.',
  addHeading: 'New webhook',
  address: 'Address',
  addressHint: 'A public address, such as https://example.org/hook.',
  add: 'Add webhook',
  limitReached: 'You have {limit} webhooks, which is the most. Delete one to add another.',
  /** The page with the signing key of a new webhook, which Standard Webhooks calls its secret. */
  newWebhook: {
    shownOnce:
      'This is the signing key of your new webhook. It is shown only now: copy it and store it safely.',
    copy: 'Copy key',
    copyFailed: 'It could not be copied: select the key and copy it.',
    useHeading: 'What to do with it',
    useLead:
      'Give it to the receiving program, which checks the header webhook-signature of each notification with it. Libraries for Standard Webhooks do this.',
    next: 'Then send a test from the list of webhooks.',
  },
  fieldErrors: {
    not_a_url:
      'Enter a complete address, such as https://example.org/hook, without user name, password and #.',
    not_https: 'Enter an address that begins with https://.',
    address_not_allowed: 'This service posts nothing to this address. Enter a public one.',
  },
  done: {
    webhookTested: 'The test was delivered, and the webhook is active.',
    webhookDeleted: 'The webhook is deleted.',
  },
} as const

/** The texts about webhooks on the owner's pages. */
export type WebhooksTexts = Translation<typeof webhooks>
