/** The stores of Sotto that every SQL database shares, the description of all tables, and the engine that a database brings. */
export type { EraseSecrets } from './account-erasure.ts'
export { createAccessTokens } from './access-tokens.ts'
export { createAccounts } from './accounts.ts'
export { cursorOf, encryptedOf, underKey } from './codec.ts'
export { createTable, type TableDialect } from './create-tables.ts'
export { createDeliveries } from './deliveries.ts'
export {
  changes,
  done,
  exists,
  row,
  rows,
  type Asked,
  type Dialect,
  type Engine,
  type Spelling,
  type SqlValue,
  type TextColumnPlace,
  type Texts,
  type Work,
  type WriteOptions,
} from './engine.ts'
export { displayNameColumns, displayNameOf, type DisplayNameRow } from './display-names.ts'
export { createEmailChanges } from './email-changes.ts'
export { eraseUpTo, type Erased } from './erase-steps.ts'
export { eventColumns, eventValues } from './events.ts'
export { rememberOwners } from './folder-owners.ts'
export { createFolders } from './folders.ts'
export { createIdentities } from './identities.ts'
export { createKeys } from './keys.ts'
export { createServers } from './servers.ts'
export { movedFiles, movedPage, movedTables, toSql, type PlaceOfRows } from './move.ts'
export { createOutbox } from './outbox.ts'
export { createPasskeys } from './passkeys.ts'
export { createPasswords } from './passwords.ts'
export { createRecordUse, rememberUses } from './record-use.ts'
export { createRequests, type InsertSecret } from './requests.ts'
export { createRewrapTexts, createTextCorruption, underOtherKeys } from './rewrap-texts.ts'
export {
  changeFiles,
  countOfFiles,
  createSecretFiles,
  filesOf,
  hasShownFiles,
  withFiles,
  withFilesCount,
} from './secret-files.ts'
export { createCounts, statusSql } from './secret-status.ts'
export { createSessions } from './sessions.ts'
export { createSignIns } from './sign-ins.ts'
export {
  allTables,
  keyedTables,
  latestWrites,
  tables,
  textPlaces,
  type Column,
  type ColumnType,
  type Table,
  type TableName,
} from './tables.ts'
export { createUsedTokens } from './used-tokens.ts'
export { createWebhooks } from './webhooks.ts'
export { createInvitations } from './invitations.ts'
