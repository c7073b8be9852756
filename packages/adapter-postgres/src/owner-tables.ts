/** The statements that create the tables of keys, accounts and what belongs to them, in their order. */
export const ownerTables: readonly string[] = [
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
]
