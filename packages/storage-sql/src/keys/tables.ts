import { flag, id, integer, text, time, type Table } from '../engine/table.ts'

export const keyTables = {
  /**
   * The keys that rows may be under, never a key itself. `check_value` lets a process check that its key of this number is right.
   * `read_only`: no row may be written under it. The newest key that is not is the active one.
   */
  keys: {
    name: 'keys',
    key: ['kid'],
    columns: {
      kid: { type: 'integer', check: 'kid > 0' },
      check_value: { type: 'bytes' },
      created_at: time,
      read_only: { ...flag, default: false },
    },
  },

  /** The servers that have a key file of their own. `kid`: the newest key that it holds. `seen_at`: when it said so last. */
  servers: {
    name: 'servers',
    key: ['id'],
    columns: { id, name: text, kid: integer, seen_at: time },
    stays: true,
  },
} as const satisfies Readonly<Record<string, Table>>
