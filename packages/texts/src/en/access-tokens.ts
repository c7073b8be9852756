import type { Translation } from '../translation.ts'

export const accessTokens = {
  heading: 'Access tokens',
  lead: 'Programs use the API with an access token. Whoever has a token can do what it allows, so treat it like a password.',
  none: { heading: 'No access tokens', lead: 'Make one to use the API from a program or a terminal.' },
  newHeading: 'New access token',
  create: 'New token',
  name: 'Name',
  nameHint: 'What it is for, such as the name of the program.',
  scopes: 'Allowed to',
  read: 'List and fetch folders and secrets (read)',
  write: 'Create and delete secrets (write)',
  expires: 'Expires',
  never: 'Never',
  afterDays: { one: 'After {count} day', other: 'After {count} days' },
  revoke: 'Delete',
  revokeHeading: 'Delete this access token?',
  revokeLead: 'Programs that use it are refused from now on. This cannot be undone.',
  createdAt: 'Created {time}',
  expiresAt: 'expires {time}',
  expiredAt: 'expired {time}',
  revokedAt: 'deleted {time}',
  lastUsedAt: 'last used {time}',
  unused: 'never used',
  shownOnce: 'This is your new access token. It is shown only now: copy it and store it safely.',
  copy: 'Copy token',
  copyFailed: 'It could not be copied: select the token and copy it.',
  tryIt: 'Try it in a terminal',
  finish: 'Done',
  done: {
    tokenRevoked: 'The access token is deleted.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type AccessTokensTexts = Translation<typeof accessTokens>
