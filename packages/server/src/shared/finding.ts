import type { Finding } from '@sotto/core'

/** A finding that everything is in order. */
export function good(check: string, text: string): Finding {
  return { check, ok: true, text }
}

/** A finding that something is wrong; `text` says what to do. */
export function bad(check: string, text: string): Finding {
  return { check, ok: false, text }
}

/** A check that was not possible because of another finding. */
export function unchecked(check: string, reason: string): Finding {
  return { check, ok: undefined, text: `not checked: ${reason}` }
}
