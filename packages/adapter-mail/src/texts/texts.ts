import type { MailNotice } from '@sotto/core'

/** Contains `{count}`, a number. */
export type WithCount = `${string}{count}${string}`

/** Contains `{name}`, the name of the service. */
export type WithName = `${string}{name}${string}`

/** Contains `{url}`. */
export type WithUrl = `${string}{url}${string}`

/**
 * One wording for each plural category of a language (`Intl.PluralRules`). A category of a single number may leave the number out, every
 * other one contains the placeholder.
 */
export type Counted<Wording extends string> = Partial<Record<'zero' | 'one' | 'two', string>> &
  Partial<Record<'few' | 'many', Wording>> & { readonly other: Wording }

/** The texts of all mails, in one language, with the words of the owner's pages. Plain text without markup. */
export interface MailTexts {
  /** For dates and numbers (BCP 47). */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly opened: {
    /** For the opens that one mail reports. Headings of events are also subjects. */
    readonly heading: Counted<WithCount>
    /** After the last open that was allowed. */
    readonly usedUp: string
  }
  /** The link is locked for a while, or disabled: the mail does not know which. */
  readonly locked: { readonly heading: string; readonly lead: string }
  readonly expired: { readonly heading: string; readonly lead: string }
  /** Before a value, without a colon. */
  readonly facts: {
    readonly label: string
    /** When it happened. */
    readonly time: string
    /** When the latest of several opens was. */
    readonly latest: string
    readonly expired: string
    readonly opens: string
    readonly opensLeft: string
    /** The value of `opensLeft` without limit. */
    readonly unlimited: string
    readonly expires: string
    /** The address of a page that is gone. */
    readonly page: string
  }
  /** On a button that leads to the secret's page. */
  readonly seeSecret: string
  /** Why the owner gets mails about this secret. It quotes the field of the page that makes a secret. */
  readonly why: string
  readonly settings: WithUrl
  readonly invitation: {
    readonly once: string
    readonly validUntil: string
  }
  /** Says who invites, and to what. */
  readonly invite: InvitationTexts
  readonly reset: InvitationTexts
  /** A mail with the link that confirms a new email address. */
  readonly confirm: InvitationTexts
  readonly notices: Readonly<Record<MailNotice, NoticeTexts>>
  readonly test: { readonly heading: string; readonly lead: WithName }
}

/** What an owner has to know of. */
export interface NoticeTexts {
  readonly subject: WithName
  readonly heading: string
  readonly lead: WithName
  /** What to do, above all for somebody who did not do it. */
  readonly next: string
}

/** A mail with a one-time link. `lead` may contain `{host}`, that of the owner's pages. */
export interface InvitationTexts {
  readonly subject: WithName
  readonly heading: string
  readonly lead: WithName
  /** On a button that leads to the link. */
  readonly action: string
  /** For somebody who did not ask for it. */
  readonly ignore: string
}
