import type { Translation } from '../translation.ts'

/** Single sign-on: `{provider}` is how the operator calls the provider. */
export const singleSignOn = {
  signInWith: 'Sign in with {provider}',
  insteadOfPassword: 'Use {provider} instead of a password',
  connect: 'Connect {provider}',
  disconnect: 'Disconnect',
  /** The text in place of the field for the password, where the account has none. */
  proofHint: 'You signed in more than 10 minutes ago, so {provider} first asks you to sign in again.',
  /** The heading on the page of the settings. */
  heading: 'Sign-in',
  lead: 'The identities with which you sign in. When {provider} no longer lets you in, your sessions end. Your access tokens work until you delete them.',
  none: { heading: 'Nothing is connected', lead: 'Connect {provider} to sign in with it.' },
  /** The text for the owner of a held account. */
  held: 'This account signs in at its identity provider. A password or a passkey confirms here who you are, but does not sign you in.',
  connectedAt: 'Connected {time}',
  refusedAt: 'not allowed any more since {time}',
  disconnectHeading: 'Disconnect this identity?',
  disconnectLead: 'You can no longer sign in with it, and the other sessions that began with it end.',
  done: {
    identityConnected: 'The identity is connected: you can sign in with it from now on.',
    identityDisconnected: 'The identity is disconnected.',
    invitationWithIdentity: 'Your account is connected, and you are signed in.',
    invitationWithIdentityWithoutWebhooks:
      'Your account is connected, and you are signed in. The webhooks that the account had are deleted; you can add them again in the settings.',
  },
  /** The form that was sent before is shown again. */
  proven: { heading: 'You signed in again', lead: 'Nothing was changed yet. Send the form once more.' },
  notices: {
    unreachable: {
      heading: '{provider} does not answer',
      lead: 'Nothing was changed. Please try again in a minute, or sign in another way.',
    },
    refusedUs: {
      heading: '{provider} did not accept this service',
      lead: 'Nothing was changed. {provider} answers, but refused what this service asked it. Trying again does not help: tell the operator of this service, or sign in another way.',
    },
    gaveUp: {
      heading: 'You are not signed in',
      lead: '{provider} did not sign you in, or you cancelled it. You can try again.',
    },
    doesNotFit: {
      heading: 'That did not work',
      lead: 'What {provider} sent back does not belong to what was begun in this browser, or it took more than 10 minutes. Nothing was changed. Please begin again.',
    },
    unknown: {
      heading: 'No account is connected',
      lead: '{provider} knows you, but no account here is connected with that identity. If you have an account, sign in to it and connect {provider} in the settings. Otherwise ask the operator for an invitation.',
    },
    unverified: {
      heading: 'Your email address is not confirmed',
      lead: '{provider} does not say that your email address is confirmed, so no account was made. Ask the operator for an invitation.',
    },
    not_allowed: {
      heading: 'You may not sign in here',
      lead: '{provider} knows you, but this service is not open to you, or not any more. Ask the operator.',
    },
    address_taken: {
      heading: 'An account has this email address',
      lead: 'Accounts are never connected by their address. Sign in to the account in another way, and connect {provider} in the settings.',
    },
    account_disabled: { heading: 'This account is disabled', lead: 'Ask the operator of this service.' },
    identity_taken: {
      heading: 'This identity is connected already',
      lead: 'It belongs to another account. Disconnect it there first, or choose another identity at {provider}.',
    },
    identity_limit_reached: {
      heading: 'The account has five identities',
      lead: 'That is the most. Disconnect one before you connect another.',
    },
    last_way_in: {
      heading: 'You could not sign in any more',
      lead: 'This is the only way into your account. Connect another identity first, or ask the operator for a one-time link.',
    },
    sign_in_held: {
      heading: 'You are not signed in',
      lead: 'This account signs in at its identity provider only. Ask the operator when you cannot sign in there.',
    },
    password_sign_in_off: {
      heading: 'Nobody signs in with a password here',
      lead: 'Sign in with {provider}. When that is not possible, the operator can give you a one-time link.',
    },
  },
} as const

/** The texts in one language. Plain text without markup. */
export type SsoTexts = Translation<typeof singleSignOn>
