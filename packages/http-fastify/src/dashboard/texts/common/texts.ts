/** A page that only informs. */
export interface NoticeTexts {
  readonly heading: string
  readonly lead: string
}

/** Contains `{when}`, a span of time such as “in 12 minutes”. */
export type WithWhen = `${string}{when}${string}`

/** Contains `{name}`, the name of the service. */
export type WithName = `${string}{name}${string}`

/** Contains `{word}`, a part of an email address. */
export type WithWord = `${string}{word}${string}`

/** Contains `{limit}`, a number. */
export type WithLimit = `${string}{limit}${string}`

/**
 * Wordings for a number. A category of a single number may write that number as a word, as the Arabic dual does; every other one contains
 * the placeholder.
 */
export type Counted<Wording extends string> = Partial<Record<'zero' | 'one' | 'two', string>> &
  Partial<Record<'few' | 'many', Wording>> & { readonly other: Wording }

/** The texts that all of the owner's pages share. Plain text without markup. */
export interface CommonTexts {
  readonly navigation: {
    /** Names the navigation for screen readers. */
    readonly label: string
    readonly skip: string
    readonly secrets: string
    readonly newSecret: string
    readonly settings: string
    readonly signOut: string
  }
  /** What is wrong with a field. */
  readonly fieldErrors: {
    readonly empty: string
    readonly too_long: Counted<WithLimit>
    readonly too_long_bytes: Counted<WithLimit>
    readonly control_character: string
    readonly nul_character: string
    readonly lone_surrogate: string
    readonly out_of_range: WithLimit
    readonly not_a_number: string
    readonly not_an_email: string
    readonly unknown_folder: string
    readonly unknown_choice: string
    readonly too_short: Counted<WithLimit>
    readonly too_common: string
    readonly contains_email: WithWord
    readonly wrong_password: string
    /** What was typed is kept when a form is refused, except for passwords. */
    readonly password_again: string
  }
  /** Above a form that has invalid fields. */
  readonly invalidForm: string
  readonly cancel: string
  /** Beside a field for a password. */
  readonly showPassword: string
  readonly notFound: NoticeTexts
  /** Sent from another site. */
  readonly refused: NoticeTexts
  /** The request is invalid or too large. */
  readonly unreadable: NoticeTexts
  /** The server cannot do it now; nothing was changed. */
  readonly busy: NoticeTexts
  /** The connection to the database broke: whether it was done is not known. */
  readonly uncertain: NoticeTexts
  /** An error of the server. */
  readonly failed: NoticeTexts
  /** Too many changes in a short time. */
  readonly tooMany: { readonly heading: string; readonly lead: WithWhen }
  /** The session ended while a form was filled in. */
  readonly sessionOver: NoticeTexts & { readonly signIn: string; readonly sendAgain: string }
  /** Leads to the secrets from a page that only informs. */
  readonly home: string
  /** The foot of every page. */
  readonly about: WithName
}
