/** What one check of an examination found. */
export interface Finding {
  /** The check's name, such as `key file`. */
  readonly check: string
  /** `undefined` when it could not be checked, because of something else that was found. */
  readonly ok: boolean | undefined
  /** What is well, or what to do. */
  readonly text: string
}

export function well(check: string, text: string): Finding {
  return { check, ok: true, text }
}

export function wrong(check: string, text: string): Finding {
  return { check, ok: false, text }
}

export function unchecked(check: string, text: string): Finding {
  return { check, ok: undefined, text: `not checked: ${text}` }
}
