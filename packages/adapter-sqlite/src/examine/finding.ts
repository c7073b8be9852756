import type { Finding } from '@sotto/core'

export function well(check: string, text: string): Finding {
  return { check, ok: true, text }
}

export function wrong(check: string, text: string): Finding {
  return { check, ok: false, text }
}

export function unchecked(check: string, text: string): Finding {
  return { check, ok: undefined, text: `not checked: ${text}` }
}
