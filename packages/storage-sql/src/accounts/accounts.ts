import {
  type Account,
  parseLanguage,
  type AccountExists,
  type AccountNotFound,
  type AccountStore,
  type Encrypted,
  type KeyRetired,
  type StoredAccount,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { createBeginErasure, createEraseBegun, type RowsOfAccount } from './account-erasure.ts'
import { cursorOf, encryptedOf, underKey } from '../engine/codec.ts'
import { displayNameColumns, displayNameOf, insertDisplayName, type DisplayNameRow } from './display-names.ts'
import {
  changes,
  exists,
  row,
  type Dialect,
  type Engine,
  type SqlValue,
  type Work,
} from '../engine/engine.ts'

type Row = [
  id: unknown,
  createdAt: number,
  disabledAt: number | null,
  language: string | null,
  mailsEnabled: unknown,
  mailsNameLabels: unknown,
  notifies: unknown,
  held: unknown,
  kid: number,
  name: Uint8Array | null,
  ...displayName: DisplayNameRow,
]

/** The accounts. */
export function createAccounts(engine: Engine, rowsOf: RowsOfAccount): AccountStore {
  const { dialect, read, find, list, write } = engine
  const { id, flag } = dialect
  const select = `SELECT ${id.read('id')}, created_at, disabled_at, language, mails_enabled, mails_name_labels, notifies, held, kid,
    ${dialect.texts.read('name')}, ${displayNameColumns(dialect, 'accounts.id')} FROM accounts`
  const byId = `${select} WHERE id = $1 AND name_index IS NOT NULL`
  const set = (columns: string, accountId: Uuid, ...values: readonly SqlValue[]) =>
    engine
      .change(
        `UPDATE accounts SET ${columns} WHERE id = $1 AND name_index IS NOT NULL`,
        id.in(accountId),
        ...values,
      )
      .map((count) => count > 0)

  return {
    insert: (account, nameIndexes) => write(() => insertAccount(engine, account, nameIndexes)),

    find: (accountId) => find(byId, [id.in(accountId)], (found: Row) => accountOf(dialect, found)),

    findByName: (nameIndexes) =>
      read(function* () {
        for (const index of nameIndexes) {
          const found = yield* row<Row>(`${select} WHERE name_index = $1`, index)
          if (found !== undefined) return accountOf(dialect, found)
        }
        return undefined
      }),

    page: (after, limit) =>
      list(
        `${select} WHERE (created_at, id) > ($1, $2) AND name_index IS NOT NULL ORDER BY created_at, id LIMIT $3`,
        [...cursorOf(dialect, after), limit],
        (found: Row) => accountOf(dialect, found),
      ),

    disable: (accountId, atMicros) => set('disabled_at = coalesce(disabled_at, $2)', accountId, atMicros),

    release: (accountId) => set('held = $2', accountId, flag.in(false)),

    rename: (accountId, name, nameIndexes) =>
      write(function* (): Work<Result<void, AccountNotFound | AccountExists | KeyRetired>> {
        if (!(yield* isAccount(dialect, accountId))) return err({ code: 'account_not_found' })
        return yield* renameAccount(engine, accountId, name, nameIndexes)
      }),

    setLanguage: (accountId, language) => set('language = $2', accountId, language),

    setMails: (accountId, mails) =>
      set('mails_enabled = $2, mails_name_labels = $3', accountId, ...mailValues({ flag }, mails)),

    setNotifies: (accountId, notifies) => set('notifies = $2', accountId, flag.in(notifies)),

    setDisplayName: (accountId, displayName) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        if (!(yield* isAccount(dialect, accountId))) return ok(false)
        yield* changes('DELETE FROM display_names WHERE account_id = $1', id.in(accountId))
        engine.erased()
        if (displayName === undefined) return ok(true)
        return yield* insertDisplayName(engine, accountId, displayName)
      }),

    beginErasure: createBeginErasure(engine, rowsOf),

    eraseBegun: createEraseBegun(engine, rowsOf),
  }
}

/** Adds an account, unless one has its name. */
export function* insertAccount(
  engine: Engine,
  account: Omit<StoredAccount, 'displayName'>,
  nameIndexes: readonly [Uint8Array, ...Uint8Array[]],
): Work<Result<void, AccountExists | KeyRetired>> {
  const { id, flag, texts } = engine.dialect
  for (const index of nameIndexes)
    if ((yield* named(index)) !== undefined) return err({ code: 'account_exists' })
  const { kid, ciphertext } = account.name
  return yield* underKey(engine, kid, function* () {
    yield* changes(
      `INSERT INTO accounts (id, created_at, disabled_at, language, mails_enabled, mails_name_labels, notifies, held, kid,
         name_index, ${texts.column('name')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      ...[id.in(account.id), account.createdAtMicros, account.disabledAtMicros, account.language],
      ...[...mailValues({ flag }, account.mails), flag.in(account.notifies), flag.in(account.isHeld)],
      ...[kid, nameIndexes[0]],
      yield* texts.insert(ciphertext),
    )
  })
}

/** Renames an account that exists. */
export function* renameAccount(
  engine: Engine,
  accountId: Uuid,
  { kid, ciphertext }: Encrypted,
  nameIndexes: readonly [Uint8Array, ...Uint8Array[]],
): Work<Result<void, AccountExists | KeyRetired>> {
  const { id, texts } = engine.dialect
  for (const index of nameIndexes) {
    const other = yield* named(index)
    if (other !== undefined && id.out(other) !== accountId) return err({ code: 'account_exists' })
  }
  return yield* underKey(engine, kid, function* () {
    const key = id.in(accountId)
    const name = yield* texts.replace({ table: 'accounts', name: 'name' }, key, ciphertext)
    yield* changes(
      `UPDATE accounts SET kid = $2, name_index = $3, ${texts.column('name')} = $4 WHERE id = $1`,
      ...[key, kid, nameIndexes[0], name],
    )
    yield* eraseLinks(key)
    engine.erased()
  })
}

/** Erases the one-time link and the waiting change of the email address of an account. */
export function* eraseLinks(account: SqlValue): Work<void> {
  for (const table of ['welcomes', 'email_changes'])
    yield* changes(`DELETE FROM ${table} WHERE account_id = $1`, account)
}

/** The id of the account whose name has this index. */
function* named(index: Uint8Array): Work<unknown> {
  return (yield* row('SELECT id FROM accounts WHERE name_index = $1', index))?.[0]
}

function mailValues({ flag }: Pick<Dialect, 'flag'>, { enabled, nameLabels }: Account['mails']): SqlValue[] {
  return [flag.in(enabled), flag.in(nameLabels)]
}

/** Whether there is an account with this id. One whose erasure has begun has no index of its name any more. */
export function* isAccount({ id }: Dialect, accountId: Uuid): Work<boolean> {
  return yield* exists('SELECT 1 FROM accounts WHERE id = $1 AND name_index IS NOT NULL', id.in(accountId))
}

/** Whether there is the account and it is not disabled. */
export function* isEnabledAccount({ id }: Dialect, accountId: Uuid): Work<boolean> {
  return yield* exists(
    'SELECT 1 FROM accounts WHERE id = $1 AND name_index IS NOT NULL AND disabled_at IS NULL',
    id.in(accountId),
  )
}

function accountOf({ id, flag }: Dialect, found: Row): StoredAccount {
  const [
    accountId,
    createdAtMicros,
    disabledAt,
    language,
    mailsEnabled,
    mailsNameLabels,
    notifies,
    held,
    ...names
  ] = found
  const [kid, name, ...displayName] = names
  return {
    id: id.out(accountId),
    name: encryptedOf(kid, name),
    createdAtMicros,
    disabledAtMicros: disabledAt ?? undefined,
    language: language === null ? undefined : parseLanguage(language),
    mails: { enabled: flag.out(mailsEnabled), nameLabels: flag.out(mailsNameLabels) },
    notifies: flag.out(notifies),
    displayName: displayNameOf({ id }, displayName),
    isHeld: flag.out(held),
  }
}
