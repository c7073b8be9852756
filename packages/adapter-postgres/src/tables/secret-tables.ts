/** The answers of an account's requests that wait to be read, shared or deleted. */
export const answersIndex = `CREATE INDEX answers_by_request ON secrets (account_id, answers_request, created_at, id)
  WHERE answers_request IS NOT NULL AND expires_at IS NULL`

const secrets: readonly string[] = [
  /*
   * Drafts and shareable secrets. A draft has no `lookup`, no `link_created_at` and no `expires_at`.
   * - `open_limit`: NULL means without limit. `opens`: those claimed so far.
   * - `kid`: the key that the ciphertext of its head and its wrapped key are under.
   * - `lookup`: 32 bytes under which the link is found. They begin with the time, so this index grows at its end.
   * - `attempts`: the state of password attempts, as JSON; NULL when there is none.
   * - `open_times`: when it was opened, 8 bytes each, big-endian, the latest last; NULL before the first open.
   * - `news`: what has happened that the owner has not looked at. No index has it, for opens change it. `answers_request`: the request that it
   *   was handed in for.
   * - `version`: grows with each write to the row but that of `news` alone. A change is decided on one version and made only while it is the row's.
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
    news bigint NOT NULL DEFAULT 0 CHECK (news >= 0),
    answers_request uuid,
    CONSTRAINT secrets_folder_fkey FOREIGN KEY (folder_id, account_id) REFERENCES folders (id, account_id),
    CHECK ((lookup IS NULL) = (expires_at IS NULL)),
    CHECK ((lookup IS NULL) = (link_created_at IS NULL)),
    CHECK ((wrap IS NULL) = (note IS NULL))
  ) WITH (fillfactor = 85)`,
  'CREATE INDEX secrets_by_account ON secrets (account_id, link_created_at, id)',
  'CREATE INDEX drafts_by_account ON secrets (account_id, created_at, id) WHERE expires_at IS NULL',
  /* This index serves the counts of folders, too, which then read no row. */
  'CREATE INDEX secrets_by_folder ON secrets (folder_id, link_created_at, id) INCLUDE (expires_at)',
  'CREATE INDEX drafts_by_folder ON secrets (folder_id, created_at, id) WHERE expires_at IS NULL',
  'CREATE INDEX secrets_by_expiry ON secrets (expires_at) WHERE expires_at IS NOT NULL',
  'CREATE INDEX secrets_by_kid ON secrets (kid, id)',
  answersIndex,
]

const openedForms: readonly string[] = [
  /* The ids of the forms that have claimed an open of a secret. */
  `CREATE TABLE opened_forms (
    secret_id uuid NOT NULL CONSTRAINT opened_forms_secret_fkey REFERENCES secrets (id) ON DELETE CASCADE,
    form_id uuid NOT NULL,
    PRIMARY KEY (secret_id, form_id)
  )`,
]

const idempotencyKeys: readonly string[] = [
  /* The requests for which secrets were created. `secret_id` refers to nothing, because the row stays when the secret is erased. */
  `CREATE TABLE idempotency_keys (
    account_id uuid NOT NULL CONSTRAINT idempotency_keys_account_fkey REFERENCES accounts (id),
    key bytea NOT NULL CHECK (length(key) = 16),
    request bytea NOT NULL CHECK (length(request) = 32),
    secret_id uuid NOT NULL,
    claimed_at bigint NOT NULL,
    PRIMARY KEY (account_id, key)
  )`,
  'CREATE INDEX idempotency_keys_by_time ON idempotency_keys (claimed_at)',
]

/** The statements that create what this database stores in a form of its own, by the name of the table. */
export const ownTables: Readonly<Record<string, readonly string[]>> = {
  idempotency_keys: idempotencyKeys,
  secrets,
  opened_forms: openedForms,
}
