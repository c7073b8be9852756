import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { StorageOpenError } from './storage-driver.ts'

/** How a value of a column looks: an id in lower case with hyphens, a whole number, a text, bytes, or true and false. `null` is no value. */
export type MovedType = 'uuid' | 'integer' | 'text' | 'bytes' | 'boolean'

/** One column of a row: ids as text, times and counts as numbers, ciphertexts and digests as bytes; `null` where it has none. */
export type MovedValue = string | number | boolean | Uint8Array | null

/** The values of a row, in the order of its table's columns. */
export type MovedRow = readonly MovedValue[]

/** A kind of rows that a move takes along, in a form that no adapter owns. */
export interface MovedTable {
  readonly name: MovedTableName
  /** The first of its columns are the key; so many. */
  readonly keyColumns: number
  readonly columns: readonly { readonly name: string; readonly type: MovedType }[]
}

/** What an event says. */
const event = {
  event_id: 'uuid',
  event_type: 'text',
  account_id: 'uuid',
  secret_id: 'uuid',
  folder_id: 'uuid',
  event_at: 'integer',
  opens: 'integer',
  opens_left: 'integer',
  expires_at: 'integer',
} as const

/**
 * The columns of every table, the key first. Times are microseconds since the epoch. `attempts` and `scopes` are spelled by
 * `attemptsText` and `scopesText`, `open_times` 8 bytes for each time (big-endian, the latest last).
 */
const columns = {
  keys: { kid: 'integer', check_value: 'bytes', created_at: 'integer' },
  accounts: {
    id: 'uuid',
    created_at: 'integer',
    disabled_at: 'integer',
    language: 'text',
    mails_enabled: 'boolean',
    mails_name_labels: 'boolean',
    kid: 'integer',
    name_index: 'bytes',
    name: 'bytes',
  },
  folders: { id: 'uuid', account_id: 'uuid', created_at: 'integer', kid: 'integer', label: 'bytes' },
  access_tokens: {
    id: 'uuid',
    account_id: 'uuid',
    created_at: 'integer',
    expires_at: 'integer',
    revoked_at: 'integer',
    last_used_at: 'integer',
    scopes: 'text',
    kid: 'integer',
    digest: 'bytes',
    name: 'bytes',
  },
  passwords: { id: 'uuid', account_id: 'uuid', created_at: 'integer', kid: 'integer', hash: 'bytes' },
  webhooks: {
    id: 'uuid',
    account_id: 'uuid',
    created_at: 'integer',
    failing_since: 'integer',
    disabled_at: 'integer',
    disabled_reason: 'text',
    kid: 'integer',
    endpoint: 'bytes',
  },
  welcomes: {
    account_id: 'uuid',
    kind: 'text',
    created_at: 'integer',
    expires_at: 'integer',
    digest: 'bytes',
  },
  known_addresses: { account_id: 'uuid', address: 'bytes', used_at: 'integer' },
  sign_in_attempts: { bucket: 'bytes', attempts: 'text', erase_at: 'integer' },
  idempotency_keys: {
    account_id: 'uuid',
    key: 'bytes',
    request: 'bytes',
    secret_id: 'uuid',
    claimed_at: 'integer',
  },
  secrets: {
    id: 'uuid',
    account_id: 'uuid',
    folder_id: 'uuid',
    created_at: 'integer',
    link_created_at: 'integer',
    expires_at: 'integer',
    open_limit: 'integer',
    opens: 'integer',
    notify: 'boolean',
    has_password: 'boolean',
    kid: 'integer',
    lookup: 'bytes',
    attempts: 'text',
    open_times: 'bytes',
    head: 'bytes',
    wrap: 'bytes',
    note: 'bytes',
  },
  opened_forms: { secret_id: 'uuid', form_id: 'uuid' },
  outbox: event,
  deliveries: {
    id: 'uuid',
    target_kind: 'text',
    // The webhook; the account for its email address.
    target_id: 'uuid',
    ...event,
    joins: 'boolean',
    count: 'integer',
    attempts: 'integer',
    last_failure: 'text',
    due_at: 'integer',
    dead_at: 'integer',
    is_head: 'boolean',
    was_leased: 'boolean',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MovedType>>>>

/** The name of a table that is moved. */
export type MovedTableName = keyof typeof columns

const pairKeys: readonly string[] = ['known_addresses', 'idempotency_keys', 'opened_forms']

/**
 * Every kind of rows that a move takes along, in an order in which no row comes before one that it refers to. Sessions and the quota's
 * counters stay behind, and so do leases of targets.
 */
export const movedTables: readonly MovedTable[] = (Object.keys(columns) as MovedTableName[]).map(movedTable)

/** The table of this name, with its columns and its key. */
export function movedTable(name: MovedTableName): MovedTable {
  return {
    name,
    keyColumns: pairKeys.includes(name) ? 2 : 1,
    columns: Object.entries(columns[name]).map(([column, type]) => ({ name: column, type })),
  }
}

/** The rows of one side of a move. */
export interface MovedRows {
  /**
   * Rows in ascending order of their keys: ids and bytes byte by byte, the first column before the second.
   * @param after a row of the same table, behind which the page begins; `undefined` for the first page
   */
  page(
    table: MovedTable,
    after: MovedRow | undefined,
    limit: number,
  ): ResultAsync<readonly MovedRow[], StorageError>
}

/** An installation that is being copied. No other process can change it until it is closed, also if this process is killed. */
export interface MoveSource extends MovedRows {
  /** The 32 random bytes that were made with the installation; the target gets the same. */
  readonly instanceId: Uint8Array
  readonly sweptAtMicros: number | undefined
  /** Whether it has been left for good, to the same place, by a move whose last step is missing. */
  readonly isLeft: boolean

  /** Leaves it for good: `open` answers `database_moved` from now on. Durable. Nothing is erased. */
  leave(): ResultAsync<void, StorageError>

  /** Ends the move. Unless {@link leave} succeeded, it can be opened again as if nothing had happened. */
  close(): Promise<void>
}

/** The copy of an installation. Until it is finished, `open` answers `database_incomplete`. */
export interface MoveTarget extends MovedRows {
  /** Adds those rows whose key it does not have. A row that it has stays as it is. Durable. */
  add(table: MovedTable, rows: readonly MovedRow[]): ResultAsync<void, StorageError>

  /** Makes an installation of the copy, which `open` opens. Durable. */
  finish(): ResultAsync<void, StorageError>

  /** Ends the move. A copy that is not finished stays, for the next one to continue. */
  close(): Promise<void>
}

/** How a source is opened. */
export interface MoveSourceOptions {
  /** The location of the target. */
  readonly to: string
}

/** What a target is begun with. */
export interface MoveTargetOptions extends Pick<MoveSource, 'instanceId' | 'sweptAtMicros'> {
  /** False when there must be an unfinished copy already; it is an error then if there is none: `database_missing`. */
  readonly create: boolean
}

/** Why an installation cannot be read for a move. Nothing was changed. */
export type MoveSourceError =
  | StorageOpenError
  /** A server or a command has it open. Nothing was changed. */
  | { readonly code: 'database_in_use'; readonly location: string }

/** Why a place cannot take an installation. Nothing that was there was changed. */
export type MoveTargetError =
  | MoveSourceError
  /** It is the place that is copied, under another name. A driver that cannot tell answers `database_in_use`. */
  | { readonly code: 'move_same_place'; readonly location: string }
  /** There is data already. `isCopy` says whether it is a finished copy of the same installation. Nothing was changed. */
  | { readonly code: 'move_target_used'; readonly location: string; readonly isCopy: boolean }
