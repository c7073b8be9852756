import { storedKeyBytes } from '@sotto/core'

/**
 * The ciphertexts of short texts: names, labels, hashes of passwords, endpoints of webhooks. The row that a text belongs to has its `nr`.
 *
 * A text is erased as the `ciphertexts` of a secret are, for the same reason: it is overwritten in place with zeros when its row is
 * deleted or gets another text. Rows are only ever added at the end; see `dead-rows.ts` for those that hold nothing but zeros.
 */
const texts = `
  CREATE TABLE texts (
    nr INTEGER PRIMARY KEY,
    text BLOB NOT NULL
  ) STRICT;
  CREATE TRIGGER texts_stay_in_place BEFORE UPDATE ON texts WHEN length(new.text) <> length(old.text)
  BEGIN
    SELECT RAISE(ABORT, 'a ciphertext of another length would leave the old one behind');
  END`

/** The trigger that erases the text of a row that is deleted. */
const erasing = (table: string, column: string): string => `
  CREATE TRIGGER ${table}_text_erased AFTER DELETE ON ${table} BEGIN
    UPDATE texts SET text = zeroblob(length(text)) WHERE nr = old.${column};
  END`

/**
 * - `disabled_at`: set once; NULL while the account is in use.
 * - `language`: the tag of the language that the owner chose; NULL follows the browser.
 * - `mails_enabled`, `mails_name_labels`: which mails the owner wants; see `MailChoice`.
 * - `name_index`: keyed digest of the name under the key `kid`, by which the account is found; NULL once its erasure has begun.
 * - `name_nr`: its name, in `texts`.
 * Indexes: the list; rotation, and the foreign key to `keys`. That of `name_index` also finds the accounts whose erasure has begun.
 */
const accounts = `
  CREATE TABLE accounts (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    created_at INTEGER NOT NULL,
    disabled_at INTEGER,
    language TEXT,
    mails_enabled INTEGER NOT NULL CHECK (mails_enabled IN (0, 1)),
    mails_name_labels INTEGER NOT NULL CHECK (mails_name_labels IN (0, 1)),
    kid INTEGER NOT NULL REFERENCES keys (kid),
    name_index BLOB UNIQUE CHECK (length(name_index) = 32),
    name_nr INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX accounts_by_time ON accounts (created_at, id);
  CREATE INDEX accounts_by_kid ON accounts (kid, id);
  ${erasing('accounts', 'name_nr')}`

/**
 * - `label_nr`: its label, in `texts`.
 * Secrets refer to UNIQUE (id, account_id), so that none is in another account's folder.
 */
const folders = `
  CREATE TABLE folders (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    kid INTEGER NOT NULL REFERENCES keys (kid),
    label_nr INTEGER NOT NULL,
    UNIQUE (id, account_id)
  ) STRICT;
  CREATE INDEX folders_by_time ON folders (account_id, created_at, id);
  CREATE INDEX folders_by_kid ON folders (kid, id);
  ${erasing('folders', 'label_nr')}`

/**
 * - `scopes`: names with one space between them, as in RFC 6749, section 3.3.
 * - `expires_at`: NULL when it never does. `revoked_at`: set once. `last_used_at`: to the minute.
 * - `digest`: SHA-256 of the token, by which it is found. `name_nr`: its name, in `texts`.
 */
const accessTokens = `
  CREATE TABLE access_tokens (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    scopes TEXT NOT NULL,
    kid INTEGER NOT NULL REFERENCES keys (kid),
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    name_nr INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX access_tokens_by_time ON access_tokens (account_id, created_at, id);
  CREATE INDEX access_tokens_by_kid ON access_tokens (kid, id);
  ${erasing('access_tokens', 'name_nr')}`

/** The passwords of accounts, one each. `hash_nr`: its Argon2id hash, encrypted, in `texts`. */
const passwords = `
  CREATE TABLE passwords (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL UNIQUE REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    kid INTEGER NOT NULL REFERENCES keys (kid),
    hash_nr INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX passwords_by_kid ON passwords (kid, id);
  ${erasing('passwords', 'hash_nr')}`

/**
 * - `proven_at`: when the owner entered the password last. `last_used_at`: to the minute.
 * - `digest`: digest of the session's token, by which it is found.
 * Indexes: the list; what is over, by either time.
 */
const sessions = `
  CREATE TABLE sessions (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    proven_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32)
  ) STRICT;
  CREATE INDEX sessions_by_time ON sessions (account_id, created_at, id);
  CREATE INDEX sessions_by_creation ON sessions (created_at);
  CREATE INDEX sessions_by_use ON sessions (last_used_at)`

/** The one-time links with which owners choose a password, one an account. `digest`: digest of its token, by which it is found. */
const welcomes = `
  CREATE TABLE welcomes (
    account_id BLOB NOT NULL PRIMARY KEY REFERENCES accounts (id),
    kind TEXT NOT NULL CHECK (kind IN ('invite', 'reset')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32)
  ) STRICT;
  CREATE INDEX welcomes_by_expiry ON welcomes (expires_at)`

/**
 * Attempts to sign in that are counted together.
 * - `bucket`: keyed digest of what they have in common.
 * - `attempts`: as in `secrets`. `erase_at`: from when on they say nothing any more.
 */
const signInAttempts = `
  CREATE TABLE sign_in_attempts (
    bucket BLOB NOT NULL PRIMARY KEY CHECK (length(bucket) = 32),
    attempts TEXT,
    erase_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (erase_at)`

/** The addresses from which owners signed in. `address`: keyed digest of the account and the address. `used_at`: the last time. */
const knownAddresses = `
  CREATE TABLE known_addresses (
    account_id BLOB NOT NULL REFERENCES accounts (id),
    address BLOB NOT NULL CHECK (length(address) = 32),
    used_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, address)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX known_addresses_by_use ON known_addresses (account_id, used_at)`

/**
 * - `failing_since`: NULL unless the last attempt failed. `disabled_at` and `disabled_reason`: NULL while messages are sent to it.
 * - `endpoint_nr`: its address and its signing secret, in `texts`.
 */
const webhooks = `
  CREATE TABLE webhooks (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    failing_since INTEGER,
    disabled_at INTEGER,
    disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing')),
    kid INTEGER NOT NULL REFERENCES keys (kid),
    endpoint_nr INTEGER NOT NULL,
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
  ) STRICT;
  CREATE INDEX webhooks_by_time ON webhooks (account_id, created_at, id);
  CREATE INDEX webhooks_by_kid ON webhooks (kid, id);
  ${erasing('webhooks', 'endpoint_nr')}`

/**
 * For which requests secrets were created; see `IdempotencyStore`. Usually one row for each, in a rotation one for each key of the ring.
 * - `nr`: rows are only ever added at the end. The index of keys, which are random, is the one place where a claim writes to a page that no
 *   claim before it has written to; the less an entry there holds, the fewer such pages a commit has.
 * - `key`: keyed digest of the account and its idempotency key, its first bytes. `request`: that of everything that was asked for.
 * - `secret_id`: refers to nothing, because the row stays when the secret is erased.
 */
const idempotencyKeys = `
  CREATE TABLE idempotency_keys (
    nr INTEGER PRIMARY KEY,
    account_id BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    key BLOB NOT NULL CHECK (length(key) = ${storedKeyBytes}),
    request BLOB NOT NULL CHECK (length(request) = 32),
    secret_id BLOB NOT NULL CHECK (length(secret_id) = 16),
    claimed_at INTEGER NOT NULL,
    UNIQUE (account_id, key)
  ) STRICT;
  CREATE INDEX idempotency_keys_by_time ON idempotency_keys (claimed_at)`

/** The statements that create the tables of accounts and of what belongs to them, in their order. */
export const ownerTables: readonly string[] = [
  texts,
  accounts,
  folders,
  accessTokens,
  passwords,
  sessions,
  welcomes,
  signInAttempts,
  knownAddresses,
  idempotencyKeys,
  webhooks,
]
