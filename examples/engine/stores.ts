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

/**
 * Each database stores secrets in a form of its own, so the adapter says how they are erased, added and kept as drafts. This one has none
 * yet.
 */
const secrets: OwnSecrets = {
  erase: () => done({ found: 0, erased: 0 }),
  insert: missing,
  hasNote: 'true',
  drafts: {
    ...{ secretColumns: 'NULL', noteColumns: 'NULL, NULL', head: 'NULL', inFolder: 'FALSE' },
    ...{ secretOf: missing, noteOf: missing, storeAttempts: missing, share: missing, replace: missing },
  },
}

function missing(): never {
  throw new Error('This database has no table of secrets yet')
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
