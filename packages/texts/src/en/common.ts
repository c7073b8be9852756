import type { Translation } from '../translation.ts'

export const common = {
  navigation: {
    /** Names the navigation for screen readers. */
    label: 'Pages',
    skip: 'Skip to the content',
    signOut: 'Sign out',
  },
  /** What is wrong with a field. */
  fieldErrors: {
    empty: 'Please fill in this field.',
    too_long: { one: 'Use at most {limit} character.', other: 'Use at most {limit} characters.' },
    too_long_bytes: {
      one: 'This is too long: at most {limit} byte.',
      other: 'This is too long: at most {limit} bytes.',
    },
    control_character: 'Remove line breaks and other control characters.',
    invisible_character: 'Remove invisible characters and those that change the writing direction.',
    nul_character: 'Remove the NUL character.',
    lone_surrogate: 'This contains a broken character.',
    out_of_range: 'Enter a whole number up to {limit}.',
    not_a_number: 'Enter a whole number.',
    not_an_email: 'Enter an email address, such as ada@example.org.',
    unknown_folder: 'Choose one of your folders.',
    not_a_file_name: 'The name of a file has /, \\ or an invisible character. Rename the file.',
    sealed_draft: 'A text that is encrypted in the browser cannot be kept as a draft.',
    too_many: 'Choose at most {limit} files.',
    unknown_choice: 'Choose one of the options.',
    too_short: { one: 'Use at least {limit} character.', other: 'Use at least {limit} characters.' },
    too_common: 'Many people use this password. Choose another one.',
    contains_email:
      'It contains the word “{word}”, which is part of your email address. Leave that word out.',
    wrong_password: 'This password is not right.',
    /** What was typed is kept when a form is refused, except for passwords. */
    password_again: 'Enter the password again: no page sends it back.',
  },
  /** The text above the invalid fields, each of which it names. */
  invalidForm: 'Nothing has been done yet. Please correct this first:',
  /** The link in the foot of an owner's page. */
  help: 'Help',
  cancel: 'Cancel',
  /** The text beside a field for a password. */
  showPassword: 'Show password',
  notFound: {
    heading: 'There is nothing here',
    lead: 'It does not exist, has expired or was deleted, or it belongs to another account.',
  },
  /** The form was sent from another site. */
  refused: {
    heading: 'This did not come from our page',
    lead: 'Another site sent this form, so nothing was changed. Open the page here and try again.',
  },
  /** The request is invalid or too large. */
  unreadable: {
    heading: 'This form could not be read',
    lead: 'Nothing was changed. Go back, reload the page and try again.',
  },
  /** The server cannot do it now; nothing was changed. */
  busy: {
    heading: 'The service is busy',
    lead: 'Nothing was changed. Please try again in a few seconds.',
  },
  /** Nothing can be written until the operator does something; nothing was changed. */
  unwritable: {
    heading: 'The service cannot write now',
    lead: 'Nothing was changed. Please try again later.',
  },
  /** The connection to the database broke: whether it was done is not known. */
  uncertain: {
    heading: 'The connection to the database broke',
    lead: 'It may have been done all the same. Please look whether it was before you try again.',
  },
  /** An error of the server. */
  failed: {
    heading: 'Something went wrong',
    lead: 'The error was logged. Please try again; if it happens again, ask the operator of this service.',
  },
  /** Too many changes in a short time. */
  tooMany: { heading: 'Too many changes', lead: 'Nothing was changed. You can continue {when}.' },
  /** The session ended while a form was filled in. */
  sessionOver: {
    heading: 'You are signed out',
    lead: 'What you entered was not saved, but this page still has it, except for passwords. Sign in in a new tab, then come back and send it again.',
    nothingKept: 'Nothing was saved or changed. Sign in, then do it again.',
    signIn: 'Sign in in a new tab',
    sendAgain: 'Send again',
  },
  /** Leads to the secrets from a page that only informs. */
  home: 'To your secrets',
  /** The foot of every page. */
  about:
    '{name} keeps secrets encrypted and deletes them once they expire or have been opened as often as allowed.',
} as const

/** The texts that all of the owner's pages share, in one language. Plain text without markup. */
export type CommonTexts = Translation<typeof common>
