import { randomBytes } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { Schema } from './migrations.ts'

/**
 * The main file. All ids are UUIDs as 16 bytes, all times whole microseconds since the epoch in UTC, all ciphertexts BLOBs whose
 * first bytes say their version. `kid` names the key that a row's ciphertexts hang on: the foreign key refuses a row under a key that
 * is not (or no longer) in `keys`, and refuses to take a key from there while a row uses it.
 */
export const mainSchema: Schema = {
  applicationId: 0x536f7474, // "Sott"
  steps: [versionOne],
}

/** Bytes of `long_notes.fill`: the most of a row that SQLite keeps on a leaf page of 4,096 bytes (file format, 1.6: U - 35). */
export const fillBytes = 4_061

/** Bytes of the longest encrypted note that is kept in `ciphertexts`: one of 1,024 bytes, padded and encrypted. */
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
  ])
    db.exec(table)
  db.prepare('INSERT INTO meta (one, instance_id) VALUES (1, ?)').run(randomBytes(32))
}

/**
 * One row about the file itself.
 * - `instance_id`: 32 random bytes, made with the file: the salt of every key that is derived for it.
 * - `swept_at`: when expired rows were last erased; NULL before the first time.
 * - `backed_up_at`: in a backup, when it was made. NULL in a database that is in use, so that none is taken for the other.
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
 * - `check_value`: by which a process tells that its key of this number is the right one.
 */
const keys = `
  CREATE TABLE keys (
    kid INTEGER PRIMARY KEY CHECK (kid > 0),
    check_value BLOB NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`

/**
 * - `disabled_at`: set once; NULL while the account is in use.
 * - `email_index`: keyed hash of the email under the key `kid`, by which the account is found.
 * - `email`: ciphertext.
 * Indexes: the list; rotation, and the foreign key of `keys`.
 */
const accounts = `
  CREATE TABLE accounts (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    created_at INTEGER NOT NULL,
    disabled_at INTEGER,
    kid INTEGER NOT NULL REFERENCES keys (kid),
    email_index BLOB NOT NULL UNIQUE CHECK (length(email_index) = 32),
    email BLOB NOT NULL
  ) STRICT;
  CREATE INDEX accounts_by_time ON accounts (created_at, id);
  CREATE INDEX accounts_by_kid ON accounts (kid, id)`

/**
 * - `label`: ciphertext.
 * UNIQUE (id, account_id) is what secrets refer to, so that none lies in another account's folder.
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
 * - `hash`: SHA-256 of the token, by which it is found. `name`: ciphertext.
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
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    name BLOB NOT NULL
  ) STRICT;
  CREATE INDEX access_tokens_by_time ON access_tokens (account_id, created_at, id);
  CREATE INDEX access_tokens_by_kid ON access_tokens (kid, id)`

/**
 * Drafts and shareable secrets, as far as nothing about them is confided: a draft has no `lookup`, no `link_created_at` and no
 * `expires_at`.
 * - `nr`: the row's number in this file, by which the tables below refer to it.
 * - `expires_at`: always 30 days after `link_created_at`, so that the order of one is the order of the other.
 * - `open_limit`: 0 means without limit. `opens`: those claimed so far.
 * - `has_note`: 0 once the note is destroyed.
 * - `kid`: the key that its head and its wrap hang on.
 * - `lookup`: SHA-256 under which the link is found.
 * - `attempts`: what is kept of wrong passwords, as JSON; NULL for nothing.
 *
 * Indexes: an account's list with its filter; a folder's counts, drafts included; the sweep; an account's drafts; rotation.
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
    open_limit INTEGER NOT NULL CHECK (open_limit >= 0),
    opens INTEGER NOT NULL DEFAULT 0 CHECK (opens >= 0),
    notify INTEGER NOT NULL CHECK (notify IN (0, 1)),
    has_password INTEGER NOT NULL CHECK (has_password IN (0, 1)),
    has_note INTEGER NOT NULL DEFAULT 1 CHECK (has_note IN (0, 1)),
    kid INTEGER NOT NULL REFERENCES keys (kid),
    lookup BLOB UNIQUE CHECK (length(lookup) = 32),
    attempts TEXT,
    FOREIGN KEY (folder_id, account_id) REFERENCES folders (id, account_id),
    CHECK ((lookup IS NULL) = (expires_at IS NULL)),
    CHECK ((lookup IS NULL) = (link_created_at IS NULL)),
    CHECK (expires_at = link_created_at + 2592000000000),
    CHECK (open_limit = 0 OR opens <= open_limit),
    CHECK (lookup IS NOT NULL OR (opens = 0 AND attempts IS NULL AND has_note = 1))
  ) STRICT;
  CREATE INDEX secrets_by_expiry ON secrets (account_id, expires_at, id);
  CREATE INDEX secrets_by_folder ON secrets (folder_id, expires_at);
  CREATE INDEX secrets_expiring ON secrets (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX drafts_by_time ON secrets (account_id, created_at, id) WHERE expires_at IS NULL;
  CREATE INDEX secrets_by_kid ON secrets (kid, id)`

/**
 * What is encrypted of the secret `nr`.
 * - `head`: its label and its link token. `wrap`: its note's key. `note`: its note; empty for one that is in `long_notes`.
 *
 * What is to be erased is overwritten in place by zeros: a value of the same length takes the old one's bytes. When its secret is
 * erased, a row of zeros stays for the time being; see `dead-rows.ts`. A row that is taken away makes SQLite balance its leaf page,
 * which copies the rows beside it, and such a copy can outlive its row even with secure_delete. Rows are only ever added at the end,
 * where nothing is balanced.
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
 * The encrypted note of the secret `nr`, if it is a long one: what it takes is to be free again as soon as it is erased.
 * - `fill`: zeros, as many as fit on a leaf page. What follows them therefore lies on overflow pages, which belong to this row
 *   alone, are never copied, and are zeroed when they are freed.
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
