import { DatabaseSync } from 'node:sqlite'
import {
  createAccounts,
  createEmailChanges,
  createIdentities,
  createKeys,
  createPasskeys,
  createPasswords,
  createSessions,
  createSignIns,
  createTable,
  createInvitations,
  done,
  allTables,
  type TableDialect,
} from '@sotto/storage-sql'
import { createEngine } from './engine.ts'

/** Stores of accounts and of how people sign in, in a new database in memory. Its other tables wait for stores of their own. */
export function openStores() {
  const db = new DatabaseSync(':memory:')
  for (const table of allTables) for (const statement of createTable(tables, table)) db.exec(statement)
  const engine = createEngine(db)
  return {
    // Secrets are stored in a form of each database's own, so the adapter says how they are erased. There are none yet.
    accounts: createAccounts(engine, () => done({ found: 0, erased: 0 })),
    emailChanges: createEmailChanges(engine),
    identities: createIdentities(engine),
    keys: createKeys(engine),
    passkeys: createPasskeys(engine),
    passwords: createPasswords(engine),
    sessions: createSessions(engine),
    signIns: createSignIns(engine),
    invitations: createInvitations(engine),
    close: () => db.close(),
  }
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
