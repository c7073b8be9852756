import type { Translation } from '../translation.ts'

export const signIn = {
  heading: 'Sign in',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  /** One text for an unknown email and a wrong password. */
  wrong: 'Email and password do not match an account.',
  locked: 'Too many failed attempts. You can try again {when}.',
  crowded: 'Other attempts are still being checked. Please try again in a second.',
  /** Leads to a new password. */
  forgot: 'No password yet, or forgotten?',
  /** The text after asking for a new password: one for every email. */
  resetAsked:
    'If there is an account with this email address, a mail with a one-time link is on its way. The link works for one hour.',
  /** The text after signing out. */
  signedOut: 'You are signed out.',
  /** The text after deleting the account. */
  accountDeleted: 'Your account is deleted, with everything that was in it.',
  /** The text for a page that needs a session. */
  toContinue: 'Sign in to see that page.',
  /** The text that a browser gets instead of the answer of the API. */
  api: 'This address is part of the API, which programs use with an access token. Sign in to make one.',
} as const

/** The texts in one language. Plain text without markup. */
export type SignInTexts = Translation<typeof signIn>
