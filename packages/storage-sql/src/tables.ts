import type { TextColumn } from '@sotto/core'

/**
 * `id`: a UUID. `integer`: a whole number; a time is microseconds since the epoch. `flag`: true or false. `encrypted`: a short encrypted text,
 * which a database may store elsewhere; see `Texts`.
 */
export type ColumnType = 'id' | 'integer' | 'text' | 'bytes' | 'flag' | 'encrypted'

/** One column of a table. */
export interface Column {
  readonly type: ColumnType
  /** Whether it may be NULL. */
  readonly optional?: true
  readonly unique?: true
  /** How many bytes it has. */
  readonly length?: number
  /** The table whose row it names by its key. */
  readonly references?: 'keys' | 'accounts'
  /** A condition on its value, as SQL. */
  readonly check?: string
  /** What a row gets that names no value. */
  readonly default?: number | false
  /** Whether it is a time at which something was written; see `Upkeep.lastWrite`. */
  readonly isWrite?: true
}

/** An index of a table. */
export interface Index {
  /** The columns, in the order of the index. */
  readonly on: string
  /** Further columns for databases that cannot count the rows of the condition otherwise without reading them. */
  readonly covers?: string
  readonly where?: string
}

/** One table, as all databases have it. */
export interface Table {
  readonly name: string
  readonly columns: Readonly<Record<string, Column>>
  readonly key: readonly string[]
  readonly indexes?: Readonly<Record<string, Index>>
  /** Columns that are unique together, by the constraint's name. */
  readonly unique?: Readonly<Record<string, readonly string[]>>
  /** The other row that a row refers to with several columns, and with which it is erased. */
  readonly partOf?: {
    readonly columns: readonly string[]
    readonly table: string
    readonly key: readonly string[]
  }
  /** A condition on a row, as SQL. */
  readonly check?: string
  /** `few`: the rows of an account are erased with it, in one transaction; `many`: in several. */
  readonly ofAccount?: 'few' | 'many'
  /** Whether its rows stay behind in a move. */
  readonly stays?: true
  /** Whether SQLite keeps it as one index of its key: for small rows that are found by their key only. */
  readonly isSmall?: true
  /** Whether each database writes the statement that creates it itself, because it stores the rows in a form of its own. */
  readonly isOwn?: true
}

const id = { type: 'id' } as const
const integer = { type: 'integer' } as const
const text = { type: 'text' } as const
const flag = { type: 'flag' } as const
const encrypted = { type: 'encrypted' } as const
/** A time that lies ahead or says nothing about when a row was written. */
const time = integer
const writtenAt = { type: 'integer', isWrite: true } as const
const digest = { type: 'bytes', length: 32 } as const
const accountId = { type: 'id', references: 'accounts' } as const
/** The number of the key that the row's ciphertexts are under. */
const kid = { type: 'integer', references: 'keys' } as const

function optional<C extends Column>(column: C): C & { readonly optional: true } {
  return { ...column, optional: true }
}

/**
 * What an event says, of a request too; see `eventColumns`. Its ids refer to nothing: a message must never be the reason why an open or an
 * erasure fails.
 */
const event = {
  event_id: id,
  event_type: text,
  account_id: id,
  secret_id: id,
  folder_id: id,
  event_at: time,
  opens: integer,
  opens_left: optional(integer),
  expires_at: time,
} as const

/**
 * Every table and column, for all databases, in an order in which no row comes before one that it refers to. From this description come the
 * statements that create the tables, and the rows that a move, a rotation of keys, an examination and an erasure walk.
 *
 * The tables check the shape of rows, not the rules of the service. `attempts` and `scopes` are spelled by `attemptsText` and `scopesText`.
 */
export const tables = {
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

  /**
   * `disabled_at`: set once. `language`: the tag that the owner chose; NULL follows the browser. `name_index`: keyed digest of the name under
   * the key `kid`, by which the account is found; NULL once its erasure has begun. `notifies`: what the owner chose last.
   * `held`: whether the owner has to be allowed at every sign-in.
   */
  accounts: {
    name: 'accounts',
    key: ['id'],
    columns: {
      id,
      created_at: writtenAt,
      disabled_at: optional(time),
      language: optional(text),
      mails_enabled: flag,
      mails_name_labels: flag,
      kid,
      name_index: optional({ ...digest, unique: true }),
      name: encrypted,
      notifies: { ...flag, default: false },
      held: { ...flag, default: false },
    },
    indexes: { accounts_by_time: { on: 'created_at, id' } },
  },

  /** Secrets refer to (id, account_id), so that none is in another account's folder. */
  folders: {
    name: 'folders',
    key: ['id'],
    columns: { id, account_id: accountId, created_at: writtenAt, kid, label: encrypted },
    unique: { folders_of_account_key: ['id', 'account_id'] },
    indexes: { folders_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'many',
  },

  /** `expires_at`: NULL when it never does. `revoked_at`: set once. `last_used_at`: to the minute. `digest`: SHA-256 of the token. */
  access_tokens: {
    name: 'access_tokens',
    key: ['id'],
    columns: {
      id,
      account_id: accountId,
      created_at: writtenAt,
      expires_at: optional(time),
      revoked_at: optional(time),
      last_used_at: optional(writtenAt),
      scopes: text,
      kid,
      digest: { ...digest, unique: true },
      name: encrypted,
    },
    indexes: { access_tokens_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'many',
  },

  /** The passwords of accounts, one each. `hash`: its Argon2id hash, encrypted. */
  passwords: {
    name: 'passwords',
    key: ['id'],
    columns: { id, account_id: { ...accountId, unique: true }, created_at: writtenAt, kid, hash: encrypted },
    ofAccount: 'few',
  },

  /**
   * The names that recipients see, one an account. The database erases them with their account, for a server that does not know this table
   * yet erases accounts, too.
   */
  display_names: {
    name: 'display_names',
    key: ['id'],
    columns: { id, account_id: { ...id, unique: true }, kid, name: encrypted },
    partOf: { columns: ['account_id'], table: 'accounts', key: ['id'] },
    ofAccount: 'few',
  },

  /**
   * The identities that owners sign in with at an identity provider. `name`: issuer and subject. `digest`: keyed digest of the name under the
   * key `kid`, by which the identity is found. `refused_at`: NULL unless it was refused last. The database erases them with their account, for
   * a server that does not know this table yet erases accounts, too.
   */
  identities: {
    name: 'identities',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      origin: { ...text, check: "origin IN ('connected', 'invited', 'allowed')" },
      created_at: writtenAt,
      last_used_at: optional(writtenAt),
      refused_at: optional(time),
      kid,
      digest: { ...digest, unique: true },
      name: encrypted,
    },
    partOf: { columns: ['account_id'], table: 'accounts', key: ['id'] },
    indexes: { identities_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'few',
  },

  /**
   * The passkeys that owners sign in with. `digest`: of the credential's id. `public_key`: SubjectPublicKeyInfo in DER. `algorithm`: its
   * number of COSE. `counter`: the authenticator's. `rp_id`: the host that it is bound to. The database erases them with their account, as
   * identities.
   */
  passkeys: {
    name: 'passkeys',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      created_at: writtenAt,
      last_used_at: optional(writtenAt),
      rp_id: text,
      algorithm: integer,
      counter: integer,
      credential_id: { type: 'bytes' },
      public_key: { type: 'bytes' },
      digest: { ...digest, unique: true },
      kid,
      name: encrypted,
    },
    partOf: { columns: ['account_id'], table: 'accounts', key: ['id'] },
    indexes: { passkeys_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'few',
  },

  /** What counts once and was used: logout tokens of the identity provider, challenges of passkeys. `erase_at`: from when on it is refused anyway. */
  used_tokens: {
    name: 'used_tokens',
    key: ['digest'],
    columns: { digest, erase_at: time },
    indexes: { used_tokens_by_end: { on: 'erase_at' } },
    stays: true,
    isSmall: true,
  },

  /** `failing_since`: NULL unless the last attempt failed. `endpoint`: its address and its signing secret, encrypted. */
  webhooks: {
    name: 'webhooks',
    key: ['id'],
    columns: {
      id,
      account_id: accountId,
      created_at: writtenAt,
      failing_since: optional(time),
      disabled_at: optional(time),
      disabled_reason: optional({ ...text, check: "disabled_reason IN ('gone', 'failing')" }),
      kid,
      endpoint: encrypted,
    },
    check: '(disabled_at IS NULL) = (disabled_reason IS NULL)',
    indexes: { webhooks_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'few',
  },

  /**
   * `proven_at`: when the owner last proved who they are. `last_used_at`: to the minute. `digest`: of the session's token. `kid`, `name`: NULL
   * until it is named. `way_in_id`: the password, identity or passkey that it was begun with. `provider_session`: digest of the session at the
   * identity provider.
   */
  sessions: {
    name: 'sessions',
    key: ['id'],
    columns: {
      id,
      account_id: accountId,
      created_at: writtenAt,
      proven_at: writtenAt,
      last_used_at: writtenAt,
      digest: { ...digest, unique: true },
      kid: optional(kid),
      name: optional(encrypted),
      way_in_id: optional(id),
      provider_session: optional(digest),
    },
    indexes: {
      sessions_by_time: { on: 'account_id, created_at, id' },
      sessions_by_creation: { on: 'created_at' },
      sessions_by_use: { on: 'last_used_at' },
      sessions_of_provider: { on: 'provider_session', where: 'provider_session IS NOT NULL' },
    },
    ofAccount: 'few',
    stays: true,
  },

  /** The one-time links with which owners choose a password, one an account. `digest`: of its token. */
  invitations: {
    name: 'welcomes',
    key: ['account_id'],
    columns: {
      account_id: accountId,
      kind: { ...text, check: "kind IN ('invite', 'reset')" },
      created_at: writtenAt,
      expires_at: time,
      digest: { ...digest, unique: true },
      asked: { ...flag, default: false },
    },
    indexes: { welcomes_by_expiry: { on: 'expires_at' } },
    ofAccount: 'few',
  },

  /**
   * The changes of email addresses that wait for their link, one an account. `email`: the new one, sealed with the link's token. `account_id`
   * refers to nothing, so that a server that does not know this table yet can erase the account; the row then expires.
   */
  email_changes: {
    name: 'email_changes',
    key: ['account_id'],
    columns: {
      account_id: id,
      created_at: writtenAt,
      expires_at: time,
      digest: { ...digest, unique: true },
      email: { type: 'bytes' },
    },
    indexes: { email_changes_by_expiry: { on: 'expires_at' } },
    ofAccount: 'few',
  },

  /** The addresses from which owners signed in. `address`: keyed digest of the account and the address. */
  known_addresses: {
    name: 'known_addresses',
    key: ['account_id', 'address'],
    columns: { account_id: accountId, address: digest, used_at: writtenAt },
    indexes: { known_addresses_by_use: { on: 'account_id, used_at' } },
    ofAccount: 'few',
    isSmall: true,
  },

  /** Attempts to sign in that are counted together. `erase_at`: from when on they say nothing any more. */
  sign_in_attempts: {
    name: 'sign_in_attempts',
    key: ['bucket'],
    columns: { bucket: digest, attempts: optional(text), erase_at: time },
    indexes: { sign_in_attempts_by_end: { on: 'erase_at' } },
    isSmall: true,
  },

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

  /** Drafts and shareable secrets. `open_times`: 8 bytes for each, big-endian, the latest last. `wrap`, `note`: NULL once it is destroyed. */
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
      head: { type: 'bytes' },
      wrap: optional({ type: 'bytes' }),
      note: optional({ type: 'bytes' }),
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

  /**
   * The files of secrets, each under the id of its content. `shown`: whether recipients see it before they open. `about`: its size, type and
   * name. `bytes`: what it counts; 0 where a server wrote the row that does not know this column. `secret_id` and `account_id` refer to nothing:
   * a row stays until the bytes of its content are gone. One that was removed from its draft has the nil UUID as `secret_id`.
   */
  files: {
    name: 'files',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      secret_id: id,
      nr: integer,
      shown: flag,
      kid,
      about: encrypted,
      bytes: { ...integer, default: 0, check: 'bytes >= 0' },
    },
    indexes: {
      files_of_secret: { on: 'secret_id, nr' },
      files_of_account: { on: 'account_id, id' },
    },
  },

  /**
   * Contents that arrive, each under the id that its file will have. `bytes`: what it counts. `ahead`: how many of them may not be written yet.
   * `counts_until`: until when it counts unless somebody says that it still arrives; 0 once that was over, from when on it does not become a file.
   */
  file_uploads: {
    name: 'file_uploads',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      secret_id: id,
      bytes: { ...integer, check: 'bytes >= 0' },
      ahead: integer,
      counts_until: time,
    },
    indexes: {
      file_uploads_of_secret: { on: 'secret_id' },
      file_uploads_of_account: { on: 'account_id' },
      file_uploads_by_end: { on: 'counts_until, id' },
      file_uploads_ahead: { on: 'ahead' },
    },
  },

  /** What the files of an account and its contents that arrive count together, in bytes, where there are any. */
  file_sums: {
    name: 'file_sums',
    key: ['account_id'],
    columns: { account_id: id, bytes: { ...integer, check: 'bytes >= 0' } },
    ofAccount: 'few',
    isSmall: true,
  },

  /**
   * With which the files of a secret are fetched that was opened. `digest`: of the ticket. `sealed`: what the ticket opens. The database erases
   * them with their secret, for a server that does not know this table yet erases secrets, too.
   */
  file_tickets: {
    name: 'file_tickets',
    key: ['digest'],
    columns: { digest, secret_id: id, account_id: id, expires_at: time, sealed: { type: 'bytes' } },
    partOf: { columns: ['secret_id'], table: 'secrets', key: ['id'] },
    indexes: {
      file_tickets_of_secret: { on: 'secret_id, expires_at' },
      file_tickets_by_end: { on: 'expires_at' },
    },
  },

  /**
   * What owners ask strangers for. `closes_at`: when it ends. `closed_at`: set once, by its owner. `digest`: of the token of its link.
   * `content`: title, text and that token. The database erases requests with their folder, for a server that does not know this table yet
   * erases folders, too.
   */
  requests: {
    name: 'requests',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      folder_id: id,
      created_at: writtenAt,
      closes_at: time,
      closed_at: optional(time),
      answers_allowed: integer,
      answers: integer,
      notify: flag,
      kid,
      digest: { ...digest, unique: true },
      content: encrypted,
    },
    partOf: { columns: ['folder_id', 'account_id'], table: 'folders', key: ['id', 'account_id'] },
    indexes: {
      requests_by_time: { on: 'account_id, created_at, id' },
      requests_of_folder: { on: 'folder_id' },
      requests_by_end: { on: 'closes_at' },
    },
    ofAccount: 'many',
  },

  /** The forms that have answered a request. `received_at`: what they were told. */
  answered_forms: {
    name: 'answered_forms',
    key: ['request_id', 'form_id'],
    columns: { request_id: id, form_id: id, received_at: time },
    partOf: { columns: ['request_id'], table: 'requests', key: ['id'] },
    isSmall: true,
  },

  /** Events that no target was chosen for yet. */
  outbox: {
    name: 'outbox',
    key: ['event_id'],
    columns: event,
    indexes: { outbox_by_time: { on: 'event_at, event_id' } },
    isSmall: true,
  },

  /**
   * Where deliveries go: `id` is that of the webhook, or of the account for its email address. There is a row while there are deliveries to it,
   * or a lease of it that was not released. `due_at`: when it can be leased, which is when the first of its deliveries is due, but not before a
   * lease of it ends; NULL when nothing is to be sent. `lease_id`: the latest lease. `leased_until`: NULL once released.
   */
  targets: {
    name: 'targets',
    key: ['kind', 'id'],
    columns: {
      kind: { ...text, check: "kind IN ('mail', 'webhook')" },
      id,
      account_id: id,
      due_at: optional(time),
      lease_id: optional(id),
      leased_until: optional(time),
    },
    indexes: {
      targets_by_due: { on: 'kind, due_at', where: 'due_at IS NOT NULL' },
      targets_of_account: { on: 'account_id' },
    },
    ofAccount: 'few',
    stays: true,
  },

  /**
   * Messages to one target, which is of the event's account. `joins`, `count`, `attempts`, `last_failure`, `due_at`: see `Delivery`.
   * `dead_at`: NULL while it is tried. `is_head`: whether it is the first of those to its target about its secret that are not dead; only a
   * head can be due. `was_leased`: whether it may have been sent since it was added or became a pause; nothing joins it then.
   */
  deliveries: {
    name: 'deliveries',
    key: ['id'],
    columns: {
      id,
      target_kind: text,
      target_id: id,
      ...event,
      joins: flag,
      count: { ...integer, default: 1, check: 'count >= 0' },
      attempts: { ...integer, default: 0, check: 'attempts >= 0' },
      last_failure: optional(text),
      due_at: time,
      dead_at: optional(time),
      is_head: { ...flag, default: false },
      was_leased: { ...flag, default: false },
    },
    partOf: { columns: ['target_kind', 'target_id'], table: 'targets', key: ['kind', 'id'] },
    indexes: {
      deliveries_in_order: { on: 'target_kind, target_id, secret_id, event_at, event_id' },
      deliveries_by_due: { on: 'target_kind, target_id, due_at, event_at, event_id', where: 'is_head' },
      waiting_by_time: {
        on: 'event_at, id',
        covers: 'dead_at, count',
        where: 'dead_at IS NULL AND count > 0',
      },
      waiting_of_account: { on: 'account_id, event_at, id', where: 'dead_at IS NULL AND count > 0' },
      dead_by_time: { on: 'event_at, id', where: 'dead_at IS NOT NULL' },
      dead_of_account: { on: 'account_id, event_at, id', where: 'dead_at IS NOT NULL' },
      dead_by_death: { on: 'dead_at', where: 'dead_at IS NOT NULL' },
    },
  },
} as const satisfies Readonly<Record<string, Table>>

/** The name of one of {@link tables}. */
export type TableName = keyof typeof tables

/** All of {@link tables}, in their order. */
export const allTables: readonly Table[] = Object.values(tables)

/** Where the texts of {@link TextColumn} are: the table, the column, and the column with the account that the row belongs to. */
export const textPlaces = {
  'account.name': { table: 'accounts', name: 'name', owner: 'id' },
  'folder.label': { table: 'folders', name: 'label', owner: 'account_id' },
  'access_token.name': { table: 'access_tokens', name: 'name', owner: 'account_id' },
  'account.password': { table: 'passwords', name: 'hash', owner: 'account_id' },
  'webhook.endpoint': { table: 'webhooks', name: 'endpoint', owner: 'account_id' },
  'account.display_name': { table: 'display_names', name: 'name', owner: 'account_id' },
  'session.name': { table: 'sessions', name: 'name', owner: 'account_id' },
  'request.content': { table: 'requests', name: 'content', owner: 'account_id' },
  'identity.name': { table: 'identities', name: 'name', owner: 'account_id' },
  'file.about': { table: 'files', name: 'about', owner: 'account_id' },
  'passkey.name': { table: 'passkeys', name: 'name', owner: 'account_id' },
} as const satisfies Record<
  TextColumn,
  { readonly table: TableName; readonly name: string; readonly owner: string }
>

/** The tables whose rows are under a key. */
export const keyedTables: readonly string[] = allTables.flatMap(({ name, columns }) =>
  Object.entries(columns).some(([column, { references }]) => column === 'kid' && references === 'keys')
    ? [name]
    : [],
)

/** The latest time at which a row of any table but `secrets` was written, as the end of a query: one column, a row for each time. */
export const latestWrites: string = allTables
  .flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([column, { isWrite }]) => (isWrite === true ? [[name, column]] : [])),
  )
  .map(([table, column]) => `UNION ALL SELECT max(${column}) FROM ${table}`)
  .join(' ')
