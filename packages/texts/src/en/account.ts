import type { Translation } from '../translation.ts'

export const account = {
  signIn: {
    heading: 'Sign in',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    /** One text for an unknown email and a wrong password. */
    wrong: 'Email and password do not match an account. Check both and try again.',
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
  },
  invitation: {
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
  },
  /** Asking for a new password. */
  reset: {
    lead: 'Enter the email address of your account. You get a mail with a one-time link to choose a new password with. If you were invited, use the link of your invitation.',
    submit: 'Send the link',
    tooMany: 'Too many mails were asked for. You can ask again {when}.',
    /** The text where no mails are sent. */
    operator:
      'This service cannot mail you a link. Its operator can give you a one-time link to choose a new password with.',
    contact: 'Contact: {contact}',
  },
  /** The link that was mailed to a new email address. */
  confirm: {
    heading: 'Confirm your email address',
    lead: 'Your account gets the email address {email}. From then on, you sign in with it.',
    submit: 'Confirm the address',
    done: { heading: 'Your email address is changed', lead: 'Sign in with the new one from now on.' },
    gone: {
      heading: 'This link cannot be used',
      lead: 'It was used already, has expired, or was replaced by a newer one, or another account has the address by now. Nothing was changed.',
    },
  },
  settings: {
    heading: 'Settings',
    account: 'Account',
    /** The password again, before something that a stolen session must not do. */
    reauthenticationHint: 'Needed again because you signed in more than 10 minutes ago.',
    email: {
      heading: 'Email address',
      change: 'Change email',
      hint: 'You sign in with it. A new address has to be confirmed: you get a mail with a link there.',
      /** Where no mails are sent. */
      operator:
        'You sign in with {email}. This service sends no mails, so only its operator can change the address.',
      notSent: 'No mail could be sent to this address. Check it, or try again later.',
    },
    password: {
      current: 'Current password',
      field: 'New password',
      change: 'Change password',
    },
    /** What recipients see, “From {name}”, on the pages of links. */
    displayName: {
      heading: 'Display name',
      hint: 'Optional. Recipients see it above your secrets: “From …”. Leave the field empty to show no name.',
      save: 'Save name',
    },
    language: {
      heading: 'Language',
      field: 'Language of your pages',
      browser: 'Same as the browser',
      save: 'Save language',
    },
    download: {
      heading: 'Your data',
      lead: 'Everything that belongs to your account as JSON: with the texts of your drafts, unless they have a password, but never those of secrets.',
      button: 'Download',
    },
    deletion: {
      heading: 'Delete account',
      lead: 'Deletes your account with all folders, drafts, secrets and access tokens. All links stop working.',
      question: 'Delete your account?',
      questionLead:
        'All your folders, drafts and secrets are deleted, and all their links stop working. This cannot be undone.',
    },
  },
  accessTokens: {
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
    done: 'Done',
  },
  sessions: {
    heading: 'Sessions',
    lead: 'The browsers in which you are signed in. A session ends by itself after 12 hours without use, and after 14 days. Names help to tell them apart.',
    thisOne: 'This session',
    other: 'Other session',
    startedAt: 'Signed in {time}',
    end: 'End session',
    /** Opens the form for its name. */
    rename: 'Name session',
  },
  /** What an action in the settings did. */
  done: {
    invitation: 'Your password is saved, and you are signed in.',
    invitationWithoutWebhooks:
      'Your password is saved, and you are signed in. The webhooks that the account had are deleted; you can add them again in the settings.',
    passwordChanged: 'Your password is changed, and all other sessions are ended.',
    emailAsked:
      'A mail is on its way to the new address. Your address changes when you open the link in it, within 24 hours.',
    nameSaved: 'The display name is saved.',
    nameErased: 'The display name is deleted.',
    languageSaved: 'The language is saved.',
    tokenRevoked: 'The access token is deleted.',
    sessionNamed: 'The name of the session is saved.',
    sessionEnded: 'The session is ended.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type AccountTexts = Translation<typeof account>
