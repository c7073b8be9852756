/**
 * What an event says, in plaintext: it holds nothing confidential. Its account, secret and folder are no foreign keys: a message must never
 * be the reason why an open or an erasure fails.
 */
const eventColumns = `
    event_id BLOB NOT NULL CHECK (length(event_id) = 16),
    event_type TEXT NOT NULL,
    account_id BLOB NOT NULL CHECK (length(account_id) = 16),
    secret_id BLOB NOT NULL CHECK (length(secret_id) = 16),
    folder_id BLOB NOT NULL CHECK (length(folder_id) = 16),
    event_at INTEGER NOT NULL,
    opens INTEGER NOT NULL,
    opens_left INTEGER,
    expires_at INTEGER NOT NULL`

/** Events that no target was chosen for yet. Without a rowid: the row and its entry in the list are all that an open writes. */
const outbox = `
  CREATE TABLE outbox (${eventColumns},
    PRIMARY KEY (event_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX outbox_by_time ON outbox (event_at, event_id)`

/**
 * Where deliveries go. There is a row while there are deliveries to it, or a lease of it that was not released.
 * - `webhook_id`: empty for the account's email address.
 * - `due_at`: when it can be leased: when the first of its deliveries is due, but not before a lease of it ends; NULL when none is to be
 *   sent. So what can be leased is found by one search of an index, and after a crash there is nothing to clean up.
 * - `lease_id`: the latest lease; its holder may settle deliveries until another caller leases the target.
 * - `leased_until`: NULL once the lease is released.
 */
const targets = `
  CREATE TABLE targets (
    nr INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('mail', 'webhook')),
    account_id BLOB NOT NULL CHECK (length(account_id) = 16),
    webhook_id BLOB NOT NULL CHECK (length(webhook_id) = iif(kind = 'mail', 0, 16)),
    due_at INTEGER,
    lease_id BLOB CHECK (length(lease_id) = 16),
    leased_until INTEGER,
    UNIQUE (account_id, webhook_id)
  ) STRICT;
  CREATE INDEX targets_by_due ON targets (kind, due_at) WHERE due_at IS NOT NULL`

/**
 * Messages to one target, which is of the event's account.
 * - `joins`, `count`, `attempts`, `last_failure`, `due_at`: see `Delivery`. `dead_at`: NULL while it is tried.
 * - `is_head`: whether it is the first of those to its target about its secret that are not dead. Only a head can be due.
 * - `was_leased`: whether it may have been sent since it was added or became a pause. Nothing joins it then.
 *
 * Indexes: the order of what is to one target about one secret; what of a target is due; the lists, of all and of an account; what was
 * given up long ago. `dead_at` and `count` are in one of the lists so that counting it reads no row.
 */
const deliveries = `
  CREATE TABLE deliveries (
    nr INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    target_nr INTEGER NOT NULL REFERENCES targets (nr) ON DELETE CASCADE,${eventColumns},
    joins INTEGER NOT NULL CHECK (joins IN (0, 1)),
    count INTEGER NOT NULL DEFAULT 1 CHECK (count >= 0),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_failure TEXT,
    due_at INTEGER NOT NULL,
    dead_at INTEGER,
    is_head INTEGER NOT NULL DEFAULT 0 CHECK (is_head IN (0, 1)),
    was_leased INTEGER NOT NULL DEFAULT 0 CHECK (was_leased IN (0, 1))
  ) STRICT;
  CREATE INDEX deliveries_in_order ON deliveries (target_nr, secret_id, dead_at, event_at, event_id);
  CREATE INDEX deliveries_by_due ON deliveries (target_nr, due_at, event_at, event_id) WHERE is_head = 1;
  CREATE INDEX waiting_by_time ON deliveries (event_at, id, dead_at, count) WHERE dead_at IS NULL AND count > 0;
  CREATE INDEX waiting_of_account ON deliveries (account_id, event_at, id) WHERE dead_at IS NULL AND count > 0;
  CREATE INDEX dead_by_time ON deliveries (event_at, id) WHERE dead_at IS NOT NULL;
  CREATE INDEX dead_of_account ON deliveries (account_id, event_at, id) WHERE dead_at IS NOT NULL;
  CREATE INDEX dead_by_death ON deliveries (dead_at) WHERE dead_at IS NOT NULL`

/** The statements that create the tables of messages, in their order. */
export const queueTables: readonly string[] = [outbox, targets, deliveries]
