import {
  accountId,
  ciphertext,
  digest,
  flag,
  id,
  integer,
  kid,
  optional,
  text,
  time,
  type Table,
} from '../engine/table.ts'

export const secretTables = {
  /**
   * The requests for which secrets were created; see `IdempotencyStore`. `secret_id` refers to nothing: the row stays when the secret is
   * erased.
   */
  idempotency_keys: {
    name: 'idempotency_keys',
    key: ['account_id', 'key'],
    columns: {
      account_id: accountId,
      key: { type: 'bytes' },
      request: digest,
      secret_id: id,
      claimed_at: time,
    },
    // No more of them than the account's quota of a day.
    ofAccount: 'few',
    isOwn: true,
  },

  /**
   * Drafts and shareable secrets. `open_times`: 8 bytes for each, big-endian, the latest last. `wrap`, `note`: NULL once it is destroyed.
   * `news`: what has happened that the owner has not looked at. `answers_request`: the request that it was handed in for; it refers to
   * nothing, because an answer stays when its request is erased.
   */
  secrets: {
    name: 'secrets',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      folder_id: id,
      created_at: time,
      link_created_at: optional(time),
      expires_at: optional(time),
      open_limit: optional(integer),
      opens: integer,
      notify: flag,
      has_password: flag,
      kid,
      lookup: optional(digest),
      attempts: optional(text),
      open_times: optional({ type: 'bytes' }),
      news: { ...integer, default: 0 },
      answers_request: optional(id),
      head: ciphertext,
      wrap: optional(ciphertext),
      note: optional(ciphertext),
    },
    ofAccount: 'many',
    isOwn: true,
  },

  /** The forms that have claimed an open of a secret. */
  opened_forms: {
    name: 'opened_forms',
    key: ['secret_id', 'form_id'],
    columns: { secret_id: id, form_id: id },
    isOwn: true,
  },
} as const satisfies Readonly<Record<string, Table>>
