import type { Cursor } from './cursor.ts'
import { aNumber, anObjectOf, aString, type Guard } from './inputs.ts'

// Fields that the inputs of several use-cases have in common.

/** What a use-case about an account takes. */
export const account = { accountId: aString } as const

/** What a use-case about something of an account takes. */
export const accountAndId = { ...account, id: aString } as const

/** What a use-case takes that gets a token alone. */
export const token = { token: aString } as const

/** What a use-case takes that finds an account by its email. */
export const email = { email: aString } as const

const aCursor: Guard<Cursor> = anObjectOf({ createdAtMicros: aNumber, id: aString })

/** What every list may take. */
export const pages = {
  /** The list begins after this position; at its beginning without it. */
  after: aCursor,
  /** How many rows a page has at most; `listPageSize` by default. */
  pageSize: aNumber,
} as const

/** What a list, or a count, of an account may take that can be about one folder. */
export const inFolder = {
  /** Only those in this folder. An unknown, malformed or another account's folder has none. */
  folderId: aString,
} as const
