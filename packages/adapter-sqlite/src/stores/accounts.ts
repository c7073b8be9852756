import { parseLanguage } from '@sotto/core'
import type {
  AccountExists,
  AccountNotFound,
  AccountStore,
  KeyRetired,
  MailChoice,
  StoredAccount,
  Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { keyedColumns } from '../keyed-columns.ts'
import { createBeginErasure, createEraseBegun } from './account-erasure.ts'
import { cursorOf, uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf } from './secret-rows.ts'
import { createInsertText, createPutText, textIn } from './texts.ts'

/** Finds out whether there is an account with this id. One whose erasure has begun has no index of its name any more. */
export const isAccountSql = 'SELECT 1 FROM accounts WHERE id = ? AND name_index IS NOT NULL'

/** The same, unless it is disabled. */
export const isEnabledAccountSql = `${isAccountSql} AND disabled_at IS NULL`

export function createAccounts(connections: Connections, keyCheck: KeyCheck): AccountStore {
  const { writer, write } = connections
  const disable = writer.prepare(
    'UPDATE accounts SET disabled_at = coalesce(disabled_at, ?) WHERE id = ? AND name_index IS NOT NULL',
  )
  const setLanguage = writer.prepare(
    'UPDATE accounts SET language = ? WHERE id = ? AND name_index IS NOT NULL',
  )
  const setMails = writer.prepare(
    'UPDATE accounts SET mails_enabled = ?, mails_name_labels = ? WHERE id = ? AND name_index IS NOT NULL',
  )

  return {
    insert: createInsert(connections, keyCheck),

    ...createReads(connections),

    disable: (id, atMicros) => write(() => ok(disable.run(atMicros, uuidBytes(id)).changes > 0)),

    rename: createRename(connections, keyCheck),

    setLanguage: (id, language) => write(() => ok(setLanguage.run(language, uuidBytes(id)).changes > 0)),

    setMails: (id, mails) => write(() => ok(setMails.run(...mailValues(mails), uuidBytes(id)).changes > 0)),

    beginErasure: createBeginErasure(connections),

    eraseBegun: createEraseBegun(connections),
  }
}

function createInsert({ writer, write }: Connections, keyCheck: KeyCheck): AccountStore['insert'] {
  const exists = writer.prepare<[Uint8Array], number>('SELECT 1 FROM accounts WHERE name_index = ?').pluck()
  const insertText = createInsertText({ writer })
  const insert = writer.prepare(
    `INSERT INTO accounts (id, created_at, disabled_at, language, mails_enabled, mails_name_labels, kid, name_index, name_nr)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return ({ id, createdAtMicros, disabledAtMicros, language, mails, name }, nameIndexes) =>
    write((): Result<void, AccountExists | KeyRetired> => {
      if (nameIndexes.some((index) => exists.get(index) !== undefined)) return err({ code: 'account_exists' })
      const fixed = [uuidBytes(id), createdAtMicros, disabledAtMicros, language, ...mailValues(mails)]
      return keyCheck(name.kid, () =>
        insert.run(...fixed, name.kid, nameIndexes[0], insertText(name.ciphertext)),
      )
    })
}

function mailValues({ enabled, nameLabels }: MailChoice): [enabled: number, nameLabels: number] {
  return [Number(enabled), Number(nameLabels)]
}

const columns = `hex(id), created_at, disabled_at, language, mails_enabled, mails_name_labels, kid, ${textIn('name_nr')}`

type Row = [
  id: string,
  createdAt: number,
  disabledAt: number | null,
  language: string | null,
  mailsEnabled: number,
  mailsNameLabels: number,
  kid: number,
  name: Buffer | null,
]

function createReads({ reader, read }: Connections): Pick<AccountStore, 'find' | 'findByName' | 'page'> {
  const findByName = reader
    .prepare<[Uint8Array], Row>(`SELECT ${columns} FROM accounts WHERE name_index = ?`)
    .raw()
  const find = reader
    .prepare<[Buffer], Row>(`SELECT ${columns} FROM accounts WHERE id = ? AND name_index IS NOT NULL`)
    .raw()
  const page = reader
    .prepare<[number, Buffer, number], Row>(
      `SELECT ${columns} FROM accounts WHERE (created_at, id) > (?, ?) AND name_index IS NOT NULL
       ORDER BY created_at, id LIMIT ?`,
    )
    .raw()

  return {
    find: (id) =>
      read(() => {
        const row = find.get(uuidBytes(id))
        return row && accountOf(row)
      }),

    findByName: (nameIndexes) =>
      read(() => {
        for (const index of nameIndexes) {
          const row = findByName.get(index)
          if (row !== undefined) return accountOf(row)
        }
        return undefined
      }),

    page: (after, limit) => read(() => page.all(...cursorOf(after), limit).map(accountOf)),
  }
}

function accountOf(row: Row): StoredAccount {
  const [id, createdAtMicros, disabledAt, language, mailsEnabled, mailsNameLabels, kid, name] = row
  return {
    id: uuidOf(id),
    name: { kid, ciphertext: ciphertextOf(name) },
    createdAtMicros,
    disabledAtMicros: disabledAt ?? undefined,
    language: language === null ? undefined : parseLanguage(language),
    mails: { enabled: mailsEnabled === 1, nameLabels: mailsNameLabels === 1 },
  }
}

function createRename(connections: Connections, keyCheck: KeyCheck): AccountStore['rename'] {
  const { writer, write } = connections
  const isAccount = writer.prepare<[Buffer], number>(isAccountSql).pluck()
  const named = writer
    .prepare<[Uint8Array], string>('SELECT hex(id) FROM accounts WHERE name_index = ?')
    .pluck()
  const replaceName = createPutText(connections, keyedColumns['account.name'])
  const rename = writer.prepare('UPDATE accounts SET kid = ?, name_index = ?, name_nr = ? WHERE id = ?')
  const eraseWelcome = writer.prepare('DELETE FROM welcomes WHERE account_id = ?')
  const isOther = (id: Uuid, index: Uint8Array): boolean => {
    const found = named.get(index)
    return found !== undefined && uuidOf(found) !== id
  }

  return (id, { kid, ciphertext }, nameIndexes) =>
    write((): Result<void, AccountNotFound | AccountExists | KeyRetired> => {
      const key = uuidBytes(id)
      if (isAccount.get(key) === undefined) return err({ code: 'account_not_found' })
      if (nameIndexes.some((index) => isOther(id, index))) return err({ code: 'account_exists' })
      return keyCheck(kid, () => {
        rename.run(kid, nameIndexes[0], replaceName(key, ciphertext), key)
        eraseWelcome.run(key)
        connections.erased()
      })
    })
}
