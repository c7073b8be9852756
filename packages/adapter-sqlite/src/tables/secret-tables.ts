import { storedKeyBytes } from '@sotto/core'

/** Bytes of `long_notes.fill`: the most of a row that SQLite stores on a leaf page of 4,096 bytes (file format, 1.6: U - 35). */
export const fillBytes = 4_061

/** Bytes of the longest encrypted note that is stored in `ciphertexts`: one of 1,024 bytes, padded and encrypted. */
export const shortNoteMaxBytes = 1_057

/** The answers of an account's requests that wait to be read, shared or deleted, with what they are counted by. */
export const answersIndex = `CREATE INDEX answers_by_request ON secrets (account_id, answers_request, created_at, id, news)
    WHERE answers_request IS NOT NULL AND expires_at IS NULL`

/**
 * Drafts and shareable secrets, without anything confidential. A draft has no `lookup`, no `link_created_at` and no `expires_at`.
 * - `nr`: the row's number in this file, by which the tables below refer to it.
 * - `open_limit`: NULL means without limit. `opens`: those claimed so far.
 * - `has_note`: 0 once the note is destroyed.
 * - `kid`: the key that the ciphertext of its head and its wrapped key are under.
 * - `lookup`: 32 bytes under which the link is found. They begin with the time, so this index grows at its end.
 * - `attempts`: the state of password attempts, as JSON; NULL when there is none.
 * - `open_times`: when it was opened, 8 bytes each, big-endian, the latest last; NULL before the first open.
 * - `news`: what has happened that the owner has not looked at. `answers_request`: the request that it was handed in for.
 *
 * Indexes: an account's list of secrets, newest link first, with the columns that the list is filtered by; its list of drafts, likewise;
 * the answers that its requests got; a folder's counts, drafts included; the sweep; rotation. Counting reads every entry of the folder, so its index has nothing else in it:
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
    open_times BLOB CHECK (length(open_times) % 8 = 0),
    news INTEGER NOT NULL DEFAULT 0 CHECK (news >= 0),
    answers_request BLOB CHECK (length(answers_request) = 16),
    FOREIGN KEY (folder_id, account_id) REFERENCES folders (id, account_id),
    CHECK ((lookup IS NULL) = (expires_at IS NULL)),
    CHECK ((lookup IS NULL) = (link_created_at IS NULL))
  ) STRICT;
  CREATE INDEX secrets_by_account ON secrets (account_id, link_created_at, id, folder_id, expires_at)
    WHERE expires_at IS NOT NULL;
  CREATE INDEX drafts_by_account ON secrets (account_id, created_at, id, folder_id) WHERE expires_at IS NULL;
  CREATE INDEX secrets_by_folder ON secrets (folder_id, expires_at);
  CREATE INDEX secrets_by_expiry ON secrets (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX secrets_by_kid ON secrets (kid, id);
  ${answersIndex}`

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
 * The requests for which secrets were created; see `IdempotencyStore`. Usually one row for each, in a rotation one for each key of the
 * ring.
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

/** The statements that create what this database stores in a form of its own, by the name of the table. */
export const ownTables: Readonly<Record<string, readonly string[]>> = {
  idempotency_keys: [idempotencyKeys],
  secrets: [secrets, ciphertexts, longNotes],
  opened_forms: [openedForms],
}
