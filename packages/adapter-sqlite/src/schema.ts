import { randomBytes } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { Schema } from './file/migrations.ts'

/**
 * The main file. All ids are UUIDs as 16 bytes, all times whole microseconds since the epoch in UTC, all ciphertexts BLOBs that begin with
 * their version. `kid` is the number of the key that a row's ciphertexts are under. Its foreign key refuses a row under a key that is not
 * (or no longer) in `keys`, and refuses to delete a key from there while a row is under it.
 *
 * The schema checks the shape of rows, not the rules of the service: how long a secret lives, and how often it may be opened, is decided
 * by the core.
 */
export const mainSchema: Schema = {
  applicationId: 0x536f7474, // "Sott"
  steps: [versionOne],
}

/** Bytes of `long_notes.fill`: the most of a row that SQLite stores on a leaf page of 4,096 bytes (file format, 1.6: U - 35). */
export const fillBytes = 4_061

/** Bytes of the longest encrypted note that is stored in `ciphertexts`: one of 1,024 bytes, padded and encrypted. */
export const shortNoteMaxBytes = 1_057

function versionOne(db: Sqlite.Database): void {
  for (const table of [
    meta,
    keys,
    accounts,
    folders,
    accessTokens,
    secrets,
    ciphertexts,
    longNotes,
    openedForms,
    outbox,
  ])
    db.exec(table)
  db.prepare('INSERT INTO meta (one, instance_id) VALUES (1, ?)').run(randomBytes(32))
}

/**
 * One row about the file itself.
 * - `instance_id`: 32 random bytes, made with the file: the salt of every key that is derived for it.
 * - `swept_at`: when expired rows were last erased; NULL before the first time.
 * - `backed_up_at`: in a backup, when it was made; NULL in a database that is used, so that the two are never confused.
 */
const meta = `
  CREATE TABLE meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    instance_id BLOB NOT NULL CHECK (length(instance_id) = 32),
    swept_at INTEGER,
    backed_up_at INTEGER
  ) STRICT`

/**
 * The keys that rows may be written under. Never a key itself.
 * - `check_value`: lets a process check that its key of this number is the right one.
 */
const keys = `
  CREATE TABLE keys (
    kid INTEGER PRIMARY KEY CHECK (kid > 0),
    check_value BLOB NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`

/**
 * - `disabled_at`: set once; NULL while the account is in use.
 * - `name_index`: keyed digest of the name under the key `kid`, by which the account is found.
 * - `name`: ciphertext.
 * Indexes: the list; rotation, and the foreign key to `keys`.
 */
const accounts = `
  CREATE TABLE accounts (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    created_at INTEGER NOT NULL,
    disabled_at INTEGER,
    kid INTEGER NOT NULL REFERENCES keys (kid),
    name_index BLOB NOT NULL UNIQUE CHECK (length(name_index) = 32),
    name BLOB NOT NULL
  ) STRICT;
  CREATE INDEX accounts_by_time ON accounts (created_at, id);
  CREATE INDEX accounts_by_kid ON accounts (kid, id)`

/**
 * - `label`: ciphertext.
 * Secrets refer to UNIQUE (id, account_id), so that none is in another account's folder.
 */
const folders = `
  CREATE TABLE folders (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    kid INTEGER NOT NULL REFERENCES keys (kid),
    label BLOB NOT NULL,
    UNIQUE (id, account_id)
  ) STRICT;
  CREATE INDEX folders_by_time ON folders (account_id, created_at, id);
  CREATE INDEX folders_by_kid ON folders (kid, id)`

/**
 * - `scopes`: names with one space between them, as in RFC 6749, section 3.3.
 * - `expires_at`: NULL when it never does. `revoked_at`: set once. `last_used_at`: to the minute.
 * - `digest`: SHA-256 of the token, by which it is found. `name`: ciphertext.
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
    name BLOB NOT NULL
  ) STRICT;
  CREATE INDEX access_tokens_by_time ON access_tokens (account_id, created_at, id);
  CREATE INDEX access_tokens_by_kid ON access_tokens (kid, id)`

/**
 * Drafts and shareable secrets, without anything confidential. A draft has no `lookup`, no `link_created_at` and no `expires_at`.
 * - `nr`: the row's number in this file, by which the tables below refer to it.
 * - `open_limit`: NULL means without limit. `opens`: those claimed so far.
 * - `has_note`: 0 once the note is destroyed.
 * - `kid`: the key that its head and its wrap are under.
 * - `lookup`: 32 bytes under which the link is found. They begin with the time, so this index grows at its end.
 * - `attempts`: the state of password attempts, as JSON; NULL when there is none.
 *
 * Indexes: an account's list of secrets, newest link first, with the columns that the list is filtered by; its list of drafts, likewise;
 * a folder's counts, drafts included; the sweep; rotation. Counting reads every entry of the folder, so its index has nothing else in it:
 * one that served a folder's list as well would make counts nearly twice as slow. A folder's list is that of its account, filtered: what
 * it skips costs no more than counting it.
 */
const secrets = `
  CREATE TABLE secrets (
    nr INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    account_id BLOB NOT NULL,
    folder_id BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    link_created_at INTEGER,
    expires_at INTEGER,
    open_limit INTEGER CHECK (open_limit > 0),
    opens INTEGER NOT NULL DEFAULT 0 CHECK (opens >= 0),
    notify INTEGER NOT NULL CHECK (notify IN (0, 1)),
    has_password INTEGER NOT NULL CHECK (has_password IN (0, 1)),
    has_note INTEGER NOT NULL DEFAULT 1 CHECK (has_note IN (0, 1)),
    kid INTEGER NOT NULL REFERENCES keys (kid),
    lookup BLOB UNIQUE CHECK (length(lookup) = 32),
    attempts TEXT,
    FOREIGN KEY (folder_id, account_id) REFERENCES folders (id, account_id),
    CHECK ((lookup IS NULL) = (expires_at IS NULL)),
    CHECK ((lookup IS NULL) = (link_created_at IS NULL))
  ) STRICT;
  CREATE INDEX secrets_by_account ON secrets (account_id, link_created_at, id, folder_id, expires_at)
    WHERE expires_at IS NOT NULL;
  CREATE INDEX drafts_by_account ON secrets (account_id, created_at, id, folder_id) WHERE expires_at IS NULL;
  CREATE INDEX secrets_by_folder ON secrets (folder_id, expires_at);
  CREATE INDEX secrets_by_expiry ON secrets (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX secrets_by_kid ON secrets (kid, id)`

/**
 * The ciphertexts of the secret `nr`.
 * - `head`: its label and its link token. `wrap`: its note's key. `note`: its note; empty for one that is in `long_notes`.
 *
 * A ciphertext is erased by overwriting it in place with zeros: a value of the same length takes the old one's bytes. When its secret is
 * erased, a row of zeros remains at first; see `dead-rows.ts`. Deleting a row makes SQLite balance its leaf page, which copies the rows
 * beside it, and such a copy can outlive its row even with secure_delete. Rows are only ever added at the end, where nothing is balanced.
 */
const ciphertexts = `
  CREATE TABLE ciphertexts (
    nr INTEGER PRIMARY KEY,
    head BLOB NOT NULL,
    wrap BLOB NOT NULL,
    note BLOB NOT NULL CHECK (length(note) <= ${shortNoteMaxBytes})
  ) STRICT;
  CREATE TRIGGER ciphertexts_stay_in_place BEFORE UPDATE ON ciphertexts
  WHEN length(new.head) <> length(old.head) OR length(new.wrap) <> length(old.wrap) OR length(new.note) <> length(old.note)
  BEGIN
    SELECT RAISE(ABORT, 'a ciphertext of another length would leave the old one behind');
  END;
  CREATE TRIGGER ciphertexts_erased AFTER DELETE ON secrets BEGIN
    UPDATE ciphertexts
    SET head = zeroblob(length(head)), wrap = zeroblob(length(wrap)), note = zeroblob(length(note))
    WHERE nr = old.nr;
  END`

/**
 * The encrypted note of the secret `nr`, if it is a long one: its space is free again as soon as it is erased.
 * - `fill`: zeros, as many as fit on a leaf page. So the note after them is on overflow pages, which belong to this row alone, are never
 *   copied, and are zeroed when they are freed.
 */
const longNotes = `
  CREATE TABLE long_notes (
    nr INTEGER PRIMARY KEY REFERENCES secrets (nr) ON DELETE CASCADE,
    fill BLOB NOT NULL CHECK (length(fill) = ${fillBytes}),
    note BLOB NOT NULL
  ) STRICT`

/** The ids (16 bytes) of the forms that have claimed an open of the secret `nr`. */
const openedForms = `
  CREATE TABLE opened_forms (
    nr INTEGER NOT NULL REFERENCES secrets (nr) ON DELETE CASCADE,
    form_id BLOB NOT NULL CHECK (length(form_id) = 16),
    PRIMARY KEY (nr, form_id)
  ) STRICT, WITHOUT ROWID`

/**
 * Messages that wait to be sent, in plaintext: they hold nothing confidential.
 * - `account_id` is no foreign key: a message must never be the reason why an open fails.
 * - `body`: JSON.
 */
const outbox = `
  CREATE TABLE outbox (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL CHECK (length(account_id) = 16),
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX outbox_by_time ON outbox (created_at, id)`
