import type { Translation } from '../translation.ts'

export const accounts = {
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
  /** The display name, where it is asked for at the first sign-in and for a request. */
  yourName: { field: 'Your name', hint: 'Whoever gets a link from you sees it.' },
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
      lead: 'Everything that belongs to your account as JSON: with the texts of your drafts, unless they have a password or were encrypted in the browser, but never those of secrets.',
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
  /** What an action in the settings did. */
  done: {
    emailAsked:
      'A mail is on its way to the new address. Your address changes when you open the link in it, within 24 hours.',
    nameSaved: 'The display name is saved.',
    nameErased: 'The display name is deleted.',
    languageSaved: 'The language is saved.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type AccountsTexts = Translation<typeof accounts>
