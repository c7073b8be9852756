import {
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
import { cursorOf, underKey } from '../engine/codec.ts'
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
import { rowsOf } from '../engine/row-codec.ts'
import { accountTables } from './tables.ts'

interface AccountRow extends Omit<StoredAccount, 'language' | 'mails' | 'displayName'> {
  readonly language: string | undefined
  readonly mailsEnabled: boolean
  readonly mailsNameLabels: boolean
}

const accountRows = rowsOf(accountTables.accounts).as<AccountRow, { readonly nameIndex: Uint8Array }>(
  {
    id: 'id',
    name: 'name',
    createdAtMicros: 'created_at',
    disabledAtMicros: 'disabled_at',
    language: 'language',
    mailsEnabled: 'mails_enabled',
    mailsNameLabels: 'mails_name_labels',
    notifies: 'notifies',
    isHeld: 'held',
  },
  { nameIndex: 'name_index' },
)

/** The accounts. */
export function createAccounts(engine: Engine, rowsOf: RowsOfAccount): AccountStore {
  const { dialect, find, list, write } = engine
  const { id, flag } = dialect
  const accounts = accountRows(dialect)
  const select = `SELECT ${accounts.columns}, ${displayNameColumns(dialect, 'accounts.id')} FROM accounts`
  const read = (found: readonly unknown[]): StoredAccount => ({
    ...accountOf(accounts.read(found)),
    displayName: displayNameOf(dialect, found.slice(-3) as DisplayNameRow),
  })
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

    find: (accountId) => find(byId, [id.in(accountId)], read),

    findByName: (nameIndexes) =>
      engine.read(function* () {
        for (const index of nameIndexes) {
          const found = yield* row(`${select} WHERE name_index = $1`, index)
          if (found !== undefined) return read(found)
        }
        return undefined
      }),

    page: (after, limit) =>
      list(
        `${select} WHERE (created_at, id) > ($1, $2) AND name_index IS NOT NULL ORDER BY created_at, id LIMIT $3`,
        [...cursorOf(dialect, after), limit],
        read,
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
      set(
        'mails_enabled = $2, mails_name_labels = $3',
        accountId,
        flag.in(mails.enabled),
        flag.in(mails.nameLabels),
      ),

    setNotifies: (accountId, notifies) => set('notifies = $2', accountId, flag.in(notifies)),

    setDisplayName: (accountId, displayName) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        if (!(yield* isAccount(dialect, accountId))) return ok(false)
        yield* changes('DELETE FROM display_names WHERE account_id = $1', id.in(accountId))
        engine.erased()
        if (displayName === undefined) return ok(true)
        return (yield* insertDisplayName(engine, accountId, displayName)).map(() => true)
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
  for (const index of nameIndexes)
    if ((yield* named(index)) !== undefined) return err({ code: 'account_exists' })
  const { enabled, nameLabels } = account.mails
  const added = { ...account, mailsEnabled: enabled, mailsNameLabels: nameLabels, nameIndex: nameIndexes[0] }
  return yield* underKey(engine, account.name.kid, () => accountRows(engine.dialect).insert(added))
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

function accountOf({ language, mailsEnabled, mailsNameLabels, ...account }: AccountRow) {
  return {
    ...account,
    language: language === undefined ? undefined : parseLanguage(language),
    mails: { enabled: mailsEnabled, nameLabels: mailsNameLabels },
  }
}
