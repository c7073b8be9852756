/** The stores of Sotto that every SQL database shares, the description of all tables, and the engine that a database brings. */
export { cursorOf, encryptedOf, underKey } from './engine/codec.ts'
export { createTable, type TableDialect } from './engine/create-tables.ts'
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
} from './engine/engine.ts'
export type { EraseSecrets, InsertSecret } from './engine/secret-work.ts'
export type { Column, ColumnType, Table } from './engine/table.ts'
export {
  changeFiles,
  countOfFiles,
  filesOf,
  hasShownFiles,
  withFiles,
  withFilesCount,
} from './files/secret-files.ts'
export type { OwnDrafts } from './drafts/drafts.ts'
export { displayNameColumns, displayNameOf, type DisplayNameRow } from './accounts/display-names.ts'
export { rememberOwners } from './folders/folder-owners.ts'
export { underOtherKeys } from './keys/rewrap-texts.ts'
export { claimKeys, createClaimedKeys } from './secrets/claimed-keys.ts'
export { createMarkSeen } from './secrets/news.ts'
export { createCounts, statusSql } from './secrets/secret-status.ts'
export { eraseUpTo, type Erased } from './shared/erase-steps.ts'
export { eventColumns, eventValues } from './shared/events.ts'
export { createRecordUse, rememberUses } from './shared/record-use.ts'
export { movedFiles, movedPage, transferredTables, toSql, type PlaceOfRows } from './storage/transfer.ts'
export { createStores, type OwnSecrets } from './stores.ts'
export { allTables, keyedTables, latestWrites, tables, type TableName } from './tables.ts'
