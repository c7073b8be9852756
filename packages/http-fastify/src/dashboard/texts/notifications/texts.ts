import type { NoticeTexts, WithLimit, WithWhen } from '../common/texts.ts'

/** Contains `{email}`. */
type WithEmail = `${string}{email}${string}`
/** Contains `{time}`, a time. */
type WithTime = `${string}{time}${string}`
/** Contains `{reason}`, a few technical words in English. */
type WithReason = `${string}{reason}${string}`
/** Contains `{address}`, a shortened address. */
type WithAddress = `${string}{address}${string}`

/** The texts of the settings page that says how an owner hears about secrets. Plain text without markup. */
export interface NotificationsTexts {
  readonly heading: string
  /** Names the box of a secret that asks for notifications. */
  readonly lead: string
  /** Too many tests of mails and webhooks in a short time. */
  readonly tooManyTests: WithWhen
  readonly mails: {
    readonly heading: string
    readonly lead: WithEmail
    readonly enabled: string
    readonly nameLabels: string
    readonly save: string
    readonly test: string
    readonly testFailed: WithReason
    /** The installation has no mail server. */
    readonly unavailable: string
    /** The account has no email address. */
    readonly noEmail: string
  }
  readonly webhooks: {
    readonly heading: string
    readonly lead: string
    readonly none: NoticeTexts
    /** The installation posts nothing. */
    readonly unavailable: string
    readonly corrupted: string
    readonly active: string
    readonly failing: string
    readonly disabled: string
    readonly createdAt: WithTime
    readonly failingSince: WithTime
    readonly disabledAt: WithTime
    /** Why it was disabled. */
    readonly reasons: { readonly gone: string; readonly failing: string }
    readonly enableAgain: string
    readonly test: string
    readonly testFailed: `${WithAddress}${WithReason}`
    readonly delete: string
    readonly deleteHeading: string
    readonly deleteLead: string
    readonly addHeading: string
    readonly address: string
    readonly addressHint: string
    readonly add: string
    readonly limitReached: WithLimit
  }
  /** The page with the signing secret of a new webhook. */
  readonly newWebhook: {
    readonly heading: string
    readonly shownOnce: string
    readonly copy: string
    readonly copyFailed: string
    readonly useHeading: string
    readonly useLead: string
    readonly next: string
  }
  readonly fieldErrors: {
    readonly not_a_url: string
    readonly not_https: string
    readonly address_not_allowed: string
  }
  /** What an action on the page did. */
  readonly done: {
    readonly mailsSaved: string
    readonly mailTested: string
    readonly webhookTested: string
    readonly webhookDeleted: string
  }
}
