import type { Html } from '@sotto/html'
import type { Visit } from './visit.ts'

/**
 * A way to sign in besides the password: what the login page shows of it, or nothing where it is not offered.
 * @param next where to go afterwards; a path of ours
 */
export type SignInWay = (visit: Visit, next: string | undefined) => Promise<ShownWay | undefined>

export interface ShownWay {
  /** Whether it stands above the form for the password, or below. */
  readonly place: 'above' | 'below'
  readonly html: Html
  /** What the field for the email address says in `autocomplete`, besides `username`. */
  readonly autocomplete?: string
}
