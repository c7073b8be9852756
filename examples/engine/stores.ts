import { DatabaseSync } from 'node:sqlite'
import {
  allTables,
  createStores,
  createTable,
  done,
  type OwnSecrets,
  type TableDialect,
} from '@sotto/storage-sql'
import { createIdentityStores } from '@sotto/storage-sql/identity'
import { createEngine } from './engine.ts'

/** Stores of accounts and of how people sign in, in a new database in memory. Its other tables wait for stores of their own. */
export function openStores() {
  const db = new DatabaseSync(':memory:')
  for (const table of allTables) for (const statement of createTable(tables, table)) db.exec(statement)
  const engine = createEngine(db)
  const { accounts, keys } = createStores(engine, secrets)
  const { emailChanges, identities, invitations, passkeys, passwords, sessions, signIns } =
    createIdentityStores(engine)
  return {
    accounts,
    keys,
    emailChanges,
    identities,
    invitations,
    passkeys,
    passwords,
    sessions,
    signIns,
    close: () => db.close(),
  }
}

/** Each database stores secrets in a form of its own, so the adapter says how they are erased and added. This one has none yet. */
const secrets: OwnSecrets = {
  erase: () => done({ found: 0, erased: 0 }),
  insert: () => done(undefined),
  hasNote: 'true',
}

const tables: TableDialect = {
  types: { id: 'TEXT', integer: 'INTEGER', text: 'TEXT', bytes: 'BLOB', flag: 'INTEGER', encrypted: 'BLOB' },
  textColumn: (name) => name,
  namesConstraints: false,
  hasCoveringIndexes: false,
  no: '0',
  checkOf: () => undefined,
  optionsOf: () => ' STRICT',
}
