/** The statements that create the tables of messages, in their order. */
export const queueTables: readonly string[] = [
  /* Events that no target was chosen for yet. Their account, secret and folder are no foreign keys, as in `deliveries`. */
  `CREATE TABLE outbox (
    event_id uuid PRIMARY KEY,
    event_type text NOT NULL,
    account_id uuid NOT NULL,
    secret_id uuid NOT NULL,
    folder_id uuid NOT NULL,
    event_at bigint NOT NULL,
    opens bigint NOT NULL,
    opens_left bigint,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX outbox_by_time ON outbox (event_at, event_id)',

  /*
   * Where deliveries go. There is a row while there are deliveries to it, or a lease of it that was not released.
   * - `id`: of the webhook; of the account for its email address, which `kind` tells apart.
   * - `due_at`: when it can be leased; NULL when nothing is to be sent. `lease_id`: the latest lease. `leased_until`: NULL once released.
   */
  `CREATE TABLE targets (
    kind text NOT NULL CHECK (kind IN ('mail', 'webhook')),
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    due_at bigint,
    lease_id uuid,
    leased_until bigint,
    PRIMARY KEY (kind, id)
  )`,
  'CREATE INDEX targets_by_due ON targets (kind, due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX targets_of_account ON targets (account_id)',

  /*
   * Messages to one target, which is of the event's account.
   * - `joins`, `count`, `attempts`, `last_failure`, `due_at`: see `Delivery`. `dead_at`: NULL while it is tried.
   * - `is_head`: whether it is the first of those to its target about its secret that are not dead. Only a head can be due.
   * - `was_leased`: whether it may have been sent since it was added or became a pause. Nothing joins it then.
   */
  `CREATE TABLE deliveries (
    id uuid PRIMARY KEY,
    target_kind text NOT NULL,
    target_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    account_id uuid NOT NULL,
    secret_id uuid NOT NULL,
    folder_id uuid NOT NULL,
    event_at bigint NOT NULL,
    opens bigint NOT NULL,
    opens_left bigint,
    expires_at bigint NOT NULL,
    joins boolean NOT NULL,
    count bigint NOT NULL DEFAULT 1 CHECK (count >= 0),
    attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_failure text,
    due_at bigint NOT NULL,
    dead_at bigint,
    is_head boolean NOT NULL DEFAULT false,
    was_leased boolean NOT NULL DEFAULT false,
    CONSTRAINT deliveries_target_fkey FOREIGN KEY (target_kind, target_id) REFERENCES targets (kind, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX deliveries_in_order ON deliveries (target_kind, target_id, secret_id, event_at, event_id)',
  'CREATE INDEX deliveries_by_due ON deliveries (target_kind, target_id, due_at, event_at, event_id) WHERE is_head',
  'CREATE INDEX waiting_by_time ON deliveries (event_at, id) WHERE dead_at IS NULL AND count > 0',
  'CREATE INDEX waiting_of_account ON deliveries (account_id, event_at, id) WHERE dead_at IS NULL AND count > 0',
  'CREATE INDEX dead_by_time ON deliveries (event_at, id) WHERE dead_at IS NOT NULL',
  'CREATE INDEX dead_of_account ON deliveries (account_id, event_at, id) WHERE dead_at IS NOT NULL',
  'CREATE INDEX dead_by_death ON deliveries (dead_at) WHERE dead_at IS NOT NULL',
]
