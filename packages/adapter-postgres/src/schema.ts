/**
 * The tables. All ids are UUIDs, all times whole microseconds since the epoch in UTC, all ciphertexts bytes that begin with their version.
 * `kid` is the number of the key that a row's ciphertexts are under; its foreign key refuses a row under a key that is not (or no longer) in
 * `keys`, and refuses to delete a key from there while a row is under it.
 *
 * The schema checks the shape of rows, not the rules of the service. It uses only what engines that speak PostgreSQL's protocol have, too:
 * no sequences, triggers, functions or partial unique indexes.
 */
export const versionOne: readonly string[] = [
  /* One row a key that rows may be written under. `check_value`: lets a process check that its key of this number is the right one. */
  `CREATE TABLE keys (
    kid bigint PRIMARY KEY CHECK (kid > 0),
    check_value bytea NOT NULL,
    created_at bigint NOT NULL
  )`,

  /*
   * - `disabled_at`: set once; NULL while the account is in use. `language`: NULL follows the browser.
   * - `name_index`: keyed digest of the name under the key `kid`, by which the account is found; NULL once its erasure has begun.
   */
  `CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    created_at bigint NOT NULL,
    disabled_at bigint,
    language text,
    mails_enabled boolean NOT NULL,
    mails_name_labels boolean NOT NULL,
    kid bigint NOT NULL CONSTRAINT accounts_kid_fkey REFERENCES keys (kid),
    name_index bytea CONSTRAINT accounts_name_index_key UNIQUE CHECK (length(name_index) = 32),
    name bytea NOT NULL
  )`,
  'CREATE INDEX accounts_by_time ON accounts (created_at, id)',
  'CREATE INDEX accounts_by_kid ON accounts (kid, id)',

  /* Secrets refer to UNIQUE (id, account_id), so that none is in another account's folder. */
  `CREATE TABLE folders (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL CONSTRAINT folders_account_fkey REFERENCES accounts (id),
    created_at bigint NOT NULL,
    kid bigint NOT NULL CONSTRAINT folders_kid_fkey REFERENCES keys (kid),
    label bytea NOT NULL,
    CONSTRAINT folders_of_account_key UNIQUE (id, account_id)
  )`,
  'CREATE INDEX folders_by_time ON folders (account_id, created_at, id)',
  'CREATE INDEX folders_by_kid ON folders (kid, id)',

  /*
   * - `scopes`: names with one space between them (RFC 6749, section 3.3). `digest`: SHA-256 of the token, by which it is found.
   * - `expires_at`: NULL when it never does. `revoked_at`: set once. `last_used_at`: to the minute.
   */
  `CREATE TABLE access_tokens (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL CONSTRAINT access_tokens_account_fkey REFERENCES accounts (id),
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    scopes text NOT NULL,
    kid bigint NOT NULL CONSTRAINT access_tokens_kid_fkey REFERENCES keys (kid),
    digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
    name bytea NOT NULL
  )`,
  'CREATE INDEX access_tokens_by_time ON access_tokens (account_id, created_at, id)',
  'CREATE INDEX access_tokens_by_kid ON access_tokens (kid, id)',

  /* The passwords of accounts, one each. `hash`: its Argon2id hash, encrypted. */
  `CREATE TABLE passwords (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL UNIQUE CONSTRAINT passwords_account_fkey REFERENCES accounts (id),
    created_at bigint NOT NULL,
    kid bigint NOT NULL CONSTRAINT passwords_kid_fkey REFERENCES keys (kid),
    hash bytea NOT NULL
  )`,
  'CREATE INDEX passwords_by_kid ON passwords (kid, id)',

  /* `proven_at`: when the owner entered the password last. `last_used_at`: to the minute. `digest`: of the session's token. */
  `CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL CONSTRAINT sessions_account_fkey REFERENCES accounts (id),
    created_at bigint NOT NULL,
    proven_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32)
  )`,
  'CREATE INDEX sessions_by_time ON sessions (account_id, created_at, id)',
  'CREATE INDEX sessions_by_creation ON sessions (created_at)',
  'CREATE INDEX sessions_by_use ON sessions (last_used_at)',

  /* The one-time links with which owners choose a password, one an account. */
  `CREATE TABLE welcomes (
    account_id uuid PRIMARY KEY CONSTRAINT welcomes_account_fkey REFERENCES accounts (id),
    kind text NOT NULL CHECK (kind IN ('invite', 'reset')),
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32)
  )`,
  'CREATE INDEX welcomes_by_expiry ON welcomes (expires_at)',

  /* Attempts to sign in that are counted together. `attempts`: as in `secrets`. `erase_at`: from when on they say nothing any more. */
  `CREATE TABLE sign_in_attempts (
    bucket bytea PRIMARY KEY CHECK (length(bucket) = 32),
    attempts text,
    erase_at bigint NOT NULL
  )`,
  'CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (erase_at)',

  /* The addresses from which owners signed in. `address`: keyed digest of the account and the address. */
  `CREATE TABLE known_addresses (
    account_id uuid NOT NULL CONSTRAINT known_addresses_account_fkey REFERENCES accounts (id),
    address bytea NOT NULL CHECK (length(address) = 32),
    used_at bigint NOT NULL,
    PRIMARY KEY (account_id, address)
  )`,
  'CREATE INDEX known_addresses_by_use ON known_addresses (account_id, used_at)',

  /* For which requests secrets were created. `secret_id` refers to nothing, because the row stays when the secret is erased. */
  `CREATE TABLE idempotency_keys (
    account_id uuid NOT NULL CONSTRAINT idempotency_keys_account_fkey REFERENCES accounts (id),
    key bytea NOT NULL CHECK (length(key) = 16),
    request bytea NOT NULL CHECK (length(request) = 32),
    secret_id uuid NOT NULL,
    claimed_at bigint NOT NULL,
    PRIMARY KEY (account_id, key)
  )`,
  'CREATE INDEX idempotency_keys_by_time ON idempotency_keys (claimed_at)',

  /* `endpoint`: its address and its signing secret, encrypted. */
  `CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL CONSTRAINT webhooks_account_fkey REFERENCES accounts (id),
    created_at bigint NOT NULL,
    failing_since bigint,
    disabled_at bigint,
    disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
    kid bigint NOT NULL CONSTRAINT webhooks_kid_fkey REFERENCES keys (kid),
    endpoint bytea NOT NULL,
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
  )`,
  'CREATE INDEX webhooks_by_time ON webhooks (account_id, created_at, id)',
  'CREATE INDEX webhooks_by_kid ON webhooks (kid, id)',

  /*
   * Drafts and shareable secrets. A draft has no `lookup`, no `link_created_at` and no `expires_at`.
   * - `open_limit`: NULL means without limit. `opens`: those claimed so far.
   * - `kid`: the key that its head and its wrap are under.
   * - `lookup`: 32 bytes under which the link is found. They begin with the time, so this index grows at its end.
   * - `attempts`: the state of password attempts, as JSON; NULL when there is none.
   * - `open_times`: when it was opened, 8 bytes each, big-endian, the latest last; NULL before the first open.
   * - `version`: grows with each write to the row. A change is decided on one version and made only while it is the row's.
   * - `head`: its label and its link token. `wrap` and `note`: NULL once the note is destroyed.
   * The fill factor leaves room on the page for the versions of the row that opens make, so that they touch no index.
   */
  `CREATE TABLE secrets (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    folder_id uuid NOT NULL,
    created_at bigint NOT NULL,
    link_created_at bigint,
    expires_at bigint,
    open_limit bigint CHECK (open_limit > 0),
    opens bigint NOT NULL DEFAULT 0 CHECK (opens >= 0),
    notify boolean NOT NULL,
    has_password boolean NOT NULL,
    kid bigint NOT NULL CONSTRAINT secrets_kid_fkey REFERENCES keys (kid),
    version bigint NOT NULL DEFAULT 1,
    lookup bytea CONSTRAINT secrets_lookup_key UNIQUE CHECK (length(lookup) = 32),
    attempts text,
    open_times bytea CHECK (length(open_times) % 8 = 0),
    head bytea NOT NULL,
    wrap bytea,
    note bytea,
    CONSTRAINT secrets_folder_fkey FOREIGN KEY (folder_id, account_id) REFERENCES folders (id, account_id),
    CHECK ((lookup IS NULL) = (expires_at IS NULL)),
    CHECK ((lookup IS NULL) = (link_created_at IS NULL)),
    CHECK ((wrap IS NULL) = (note IS NULL))
  ) WITH (fillfactor = 85)`,
  'CREATE INDEX secrets_by_account ON secrets (account_id, link_created_at, id)',
  'CREATE INDEX drafts_by_account ON secrets (account_id, created_at, id) WHERE expires_at IS NULL',
  /* Also for the counts of folders, which then read no row. */
  'CREATE INDEX secrets_by_folder ON secrets (folder_id, link_created_at, id) INCLUDE (expires_at)',
  'CREATE INDEX drafts_by_folder ON secrets (folder_id, created_at, id) WHERE expires_at IS NULL',
  'CREATE INDEX secrets_by_expiry ON secrets (expires_at) WHERE expires_at IS NOT NULL',
  'CREATE INDEX secrets_by_kid ON secrets (kid, id)',

  /* The ids of the forms that have claimed an open of a secret. */
  `CREATE TABLE opened_forms (
    secret_id uuid NOT NULL CONSTRAINT opened_forms_secret_fkey REFERENCES secrets (id) ON DELETE CASCADE,
    form_id uuid NOT NULL,
    PRIMARY KEY (secret_id, form_id)
  )`,

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

  /*
   * Calls counted in fixed windows; see `QuotaStore`. `taken`: how many calls the latest statement counted. Nothing refers to this table, and its
   * writes do not wait for the disk. `is_address`: whether the bucket is one of those that are bounded.
   */
  `CREATE TABLE quota (
    bucket text PRIMARY KEY,
    minute_start bigint NOT NULL,
    minute_count bigint NOT NULL,
    day_start bigint NOT NULL,
    day_count bigint NOT NULL,
    taken bigint NOT NULL,
    is_address boolean NOT NULL
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX quota_addresses ON quota (minute_start) WHERE is_address',
  'CREATE INDEX quota_by_day ON quota (day_start)',
]
