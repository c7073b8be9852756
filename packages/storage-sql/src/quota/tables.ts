import { digest, optional, text, time, type Table } from '../engine/table.ts'

export const quotaTables = {
  /** Attempts to sign in that are counted together. `erase_at`: the time from which they say nothing any more. */
  sign_in_attempts: {
    name: 'sign_in_attempts',
    key: ['bucket'],
    columns: { bucket: digest, attempts: optional(text), erase_at: time },
    indexes: { sign_in_attempts_by_end: { on: 'erase_at' } },
    isSmall: true,
  },
} as const satisfies Readonly<Record<string, Table>>
