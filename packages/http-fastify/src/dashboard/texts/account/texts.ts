import type { Counted, NoticeTexts, WithName, WithWhen, WithWord } from '../common/texts.ts'

/** Contains `{email}`. */
type WithEmail = `${string}{email}${string}`
/** Contains `{time}`, a time. */
type WithTime = `${string}{time}${string}`
/** Contains `{count}`, a number. */
type WithCount = `${string}{count}${string}`

/** The texts of signing in, of choosing a password, and of the settings. Plain text without markup. */
export interface AccountTexts {
  readonly signIn: {
    readonly heading: string
    readonly email: string
    readonly password: string
    readonly submit: string
    /** The same for an unknown email and a wrong password. */
    readonly wrong: string
    readonly locked: WithWhen
    readonly crowded: string
    /** Leads to a new password. */
    readonly forgot: string
    /** After asking for one: the same for every email. */
    readonly resetAsked: string
    /** After signing out. */
    readonly signedOut: string
    /** After deleting the account. */
    readonly accountDeleted: string
    /** When a page was asked for that needs a session. */
    readonly toContinue: string
    /** Instead of the answer of the API to a browser. */
    readonly api: string
  }
  readonly invitation: {
    readonly inviteHeading: string
    readonly resetHeading: string
    readonly invited: WithName
    readonly forAccount: WithEmail
    readonly passwordHint: Counted<WithCount>
    /** After the hint: what the password must not contain. */
    readonly passwordWord: WithWord
    readonly submit: string
    readonly endsSessions: string
    /** Before the hosts of the webhooks. */
    readonly removesWebhooks: string
    /** A one-time link that cannot be used. */
    readonly gone: NoticeTexts
  }
  /** Asking for a new password. */
  readonly reset: {
    readonly heading: string
    readonly lead: string
    readonly submit: string
    readonly tooMany: WithWhen
    /** Where no mails are sent. */
    readonly operator: string
    readonly contact: `${string}{contact}${string}`
  }
  /** The link that was mailed to a new email address. */
  readonly confirm: {
    readonly heading: string
    readonly lead: WithEmail
    readonly submit: string
    readonly done: NoticeTexts
    readonly gone: NoticeTexts
  }
  readonly settings: {
    readonly heading: string
    readonly navigation: string
    readonly account: string
    readonly tokens: string
    readonly sessions: string
    /** The password again, before something that a stolen session must not do. */
    readonly reauthenticationHint: string
    readonly email: {
      readonly heading: string
      readonly change: string
      readonly hint: string
      /** Where no mails are sent. */
      readonly operator: WithEmail
      readonly notSent: string
    }
    readonly password: {
      readonly heading: string
      readonly current: string
      readonly field: string
      readonly change: string
      readonly lead: string
    }
    readonly language: {
      readonly heading: string
      readonly field: string
      readonly browser: string
      readonly save: string
    }
    readonly download: { readonly heading: string; readonly lead: string; readonly button: string }
    readonly deletion: {
      readonly heading: string
      readonly lead: string
      readonly button: string
      readonly question: string
      readonly questionLead: string
    }
  }
  readonly accessTokens: {
    readonly heading: string
    readonly lead: string
    readonly none: NoticeTexts
    readonly newHeading: string
    readonly create: string
    readonly name: string
    readonly nameHint: string
    readonly scopes: string
    readonly read: string
    readonly write: string
    readonly expires: string
    readonly never: string
    readonly afterDays: Counted<WithCount>
    readonly revoke: string
    readonly revokeHeading: string
    readonly revokeLead: string
    readonly createdAt: WithTime
    readonly expiresAt: WithTime
    readonly expiredAt: WithTime
    readonly revokedAt: WithTime
    readonly lastUsedAt: WithTime
    readonly unused: string
    readonly shownOnce: string
    readonly copy: string
    readonly copied: string
    readonly copyFailed: string
    readonly tryIt: string
    readonly done: string
  }
  readonly sessions: {
    readonly heading: string
    readonly lead: string
    readonly thisOne: string
    readonly other: string
    readonly startedAt: WithTime
    readonly lastUsedAt: WithTime
    readonly end: string
  }
  /** What an action in the settings did. */
  readonly done: {
    readonly invitation: string
    readonly invitationWithoutWebhooks: string
    readonly passwordChanged: string
    readonly emailAsked: string
    readonly languageSaved: string
    readonly tokenRevoked: string
    readonly sessionEnded: string
  }
}
