/** Where the moment goes at which a message expires. */
export type WithTime = `${string}{time}${string}`

/** Where a span of time goes, as in “in 28 minutes”. */
export type WithWhen = `${string}{when}${string}`

/** One wording for each plural category that a language has (`Intl.PluralRules`); `{count}` stands for the number. */
export type Plural<Wording extends string> = Partial<Record<Intl.LDMLPluralRule, Wording>> & {
  readonly other: Wording
}

/** A page that only tells something. */
export interface Notice<Lead extends string = string> {
  readonly heading: string
  readonly lead: Lead
}

/** Everything that a recipient can read on the pages of a link, in one language. Plain text; nothing in it is markup. */
export interface Texts {
  /** BCP 47, the primary subtag alone: what `lang` says. */
  readonly language: string
  /** BCP 47: how dates and numbers are written. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'

  /** Before opening. */
  readonly ready: Notice & {
    /** Who can read the message. */
    readonly readers: string
    readonly readersWithPassword: string
    /** That opens may be counted. */
    readonly limited: string
    /** Until when it is there. */
    readonly until: WithTime
    readonly open: string
    /** While it is being opened. */
    readonly opening: string
  }
  /** The form was sent a second time, by a reload for example. */
  readonly again: Notice & { readonly open: string }
  readonly password: {
    readonly label: string
    readonly hint: string
    readonly show: string
    readonly missing: string
    /** Short, for the title of the page. */
    readonly wrong: string
    /** How to go on. */
    readonly wrongAdvice: string
  }
  readonly opened: {
    readonly title: string
    readonly copy: string
    readonly copied: string
    readonly copyFailed: string
    /** No open remains. */
    readonly last: string
    /** `{count}` opens remain. */
    readonly left: Plural<WithTime>
    readonly unlimited: WithTime
  }
  /** Unknown, expired, used up, destroyed, disabled: nobody learns which. */
  readonly gone: Notice & { readonly advice: string }
  /** Too many wrong passwords. */
  readonly locked: Notice<WithWhen> & { readonly advice: string }
  /** Too many attempts at once. */
  readonly crowded: Notice
  /** The server cannot do it now; nothing was opened. */
  readonly busy: Notice
  /** The server's own fault. */
  readonly failed: Notice
  /** Sent from another site. */
  readonly refused: Notice
  /** Not to be understood, or too large. */
  readonly unreadable: Notice
  /** Back to the page of the link, to try the same again. */
  readonly retry: string
  /** Back to the page of the link, to begin properly. */
  readonly restart: string
  /** What this service is, in one or two sentences. */
  readonly about: string
}
