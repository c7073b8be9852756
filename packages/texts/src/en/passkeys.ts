import type { Translation } from '../translation.ts'

export const passkeys = {
  heading: 'Passkeys',
  lead: 'A passkey is a key on your phone, computer or security key. You sign in with your fingerprint, face or PIN, and there is no password to give away.',
  none: 'No passkeys yet',
  /** The button that uses one, to sign in or instead of the password. */
  use: 'Use a passkey',
  /** Nothing came of it: the person gave up, or the device has none. */
  failed: 'No passkey was used. You can try again.',
  /** The text at the sign-in, and at the field for the password. */
  refused: 'This passkey was not accepted. Try again, or sign in another way.',
  /** The page was open too long, or the form was sent twice. */
  expired: 'This page was open too long. Please use your passkey once more.',
  add: 'Add a passkey',
  nameHint: 'For you to tell it from others, such as “Phone”.',
  addedAt: 'Added {time}',
  usedAt: 'last used {time}',
  unused: 'not used yet',
  /** The text of a passkey that was made when this service had another address. */
  otherHost: 'For {host}: it does not work here.',
  corrupted:
    'Some passkeys cannot be shown, because their data is corrupted. Ask the operator of this service.',
  limitReached: 'You have {limit} passkeys, and there can be no more. Delete one that you do not use.',
  /** The browser has no WebAuthn. */
  noneHere: 'This browser cannot make passkeys. Open this page in another browser, or on another device.',
  notMade: 'No passkey was made. You can try again.',
  /** The device has a passkey of this account. */
  known: 'This device already has a passkey for your account.',
  /** What was made was not accepted. */
  notAdded: 'The passkey was not added. Please try again.',
  /** The text once the password was entered. */
  confirmed: 'Thank you. Now press “Add a passkey” once more.',
  delete: 'Delete',
  deleteHeading: 'Delete this passkey?',
  deleteLead:
    'Nobody can sign in with it any more, and sessions that began with it end, except this one. Delete it on your device as well.',
  /** Deleting it would lock the owner out. */
  last: 'This passkey is the only way to sign in to your account. Add another way first.',
  done: {
    passkeyAdded: 'The passkey is added. You can sign in with it from now on.',
    passkeyDeleted: 'The passkey is deleted.',
  },
} as const

export type PasskeysTexts = Translation<typeof passkeys>
