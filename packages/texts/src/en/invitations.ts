import type { Translation } from '../translation.ts'

export const invitations = {
  inviteHeading: 'Invitation',
  resetHeading: 'Choose a new password',
  invited:
    '{name} invites you to hand over passwords and other confidential text by links that work only as often and as long as you choose.',
  forAccount: 'Choose a password for {email}.',
  passwordHint: {
    one: 'At least {count} character. A few words in a row are easy to remember.',
    other: 'At least {count} characters. A few words in a row are easy to remember.',
  },
  /** The text after the hint: what the password must not contain. */
  passwordWord: 'Leave out the word “{word}”, which is part of your email address.',
  submit: 'Save password and sign in',
  endsSessions: 'A new password ends all other sessions of your account.',
  /** The text before the hosts of the webhooks. */
  removesWebhooks:
    'Saving the password deletes these webhooks of the account, because somebody else may have added them. You can add them again in the settings.',
  /** A one-time link that cannot be used. */
  gone: {
    heading: 'This link cannot be used',
    lead: 'It was used already, has expired, or was replaced by a newer one. The operator of this service can send you another.',
  },
  done: {
    invitation: 'Your password is saved, and you are signed in.',
    invitationWithoutWebhooks:
      'Your password is saved, and you are signed in. The webhooks that the account had are deleted; you can add them again in the settings.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type InvitationsTexts = Translation<typeof invitations>
