import type { Plural } from '../../design/localized.ts'

/** Contains `{time}`, the time at which a message expires. */
export type WithTime = `${string}{time}${string}`

/** Contains `{when}`, a span of time such as “in 28 minutes”. */
export type WithWhen = `${string}{when}${string}`

/** Contains `{name}`, what the service is called. */
export type WithName = `${string}{name}${string}`

/** Contains `{contact}`, a link to whoever runs the service. */
export type WithContact = `${string}{contact}${string}`

/** A page that only informs. */
export interface Notice<Lead extends string = string> {
  readonly heading: string
  readonly lead: Lead
}

/** All texts on the pages of a link, in one language. Plain text without markup. */
export interface Texts {
  /** Before opening. */
  readonly ready: Notice & {
    /** Who can read the message. */
    readonly readers: string
    readonly readersWithPassword: string
    /** That the number of opens may be limited. */
    readonly limited: string
    /** Until when the message is available. */
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
    /** Short, for the page title. */
    readonly wrong: string
    /** What to do next. */
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
  /** For unknown, expired, used-up, destroyed and disabled links alike. */
  readonly gone: Notice & {
    readonly advice: string
    /** Shown where the operator gave a contact. */
    readonly help: WithContact
  }
  /** Too many wrong passwords. */
  readonly locked: Notice<WithWhen> & { readonly advice: string }
  /** Too many simultaneous attempts. */
  readonly crowded: Notice
  /** The server cannot open it now; nothing was opened. */
  readonly busy: Notice
  /** The connection to the database broke: whether an open was used up is not known. */
  readonly uncertain: Notice
  /** An error of the server. */
  readonly failed: Notice
  /** Sent from another site. */
  readonly refused: Notice
  /** The request is invalid or too large. */
  readonly unreadable: Notice
  /** Leads back to the page of the link, to try the same again. */
  readonly retry: string
  /** Leads back to the page of the link, to start from there. */
  readonly restart: string
  /** What this service is, in one or two sentences that are true on every page. */
  readonly about: WithName
}
