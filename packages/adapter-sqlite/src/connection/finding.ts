import type { Finding } from '@sotto/core'

export function good(check: string, text: string): Finding {
  return { check, ok: true, text }
}

export function bad(check: string, text: string): Finding {
  return { check, ok: false, text }
}

export function unchecked(check: string, text: string): Finding {
  return { check, ok: undefined, text: `not checked: ${text}` }
}
