import type { Translation } from '../translation.ts'

export const sessions = {
  heading: 'Sessions',
  lead: 'The browsers in which you are signed in. A session ends by itself after 12 hours without use, and after 14 days. Names help to tell them apart.',
  thisOne: 'This session',
  other: 'Other session',
  startedAt: 'Signed in {time}',
  end: 'End session',
  /** Opens the form for its name. */
  rename: 'Name session',
  done: {
    sessionNamed: 'The name of the session is saved.',
    sessionEnded: 'The session is ended.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type SessionsTexts = Translation<typeof sessions>
