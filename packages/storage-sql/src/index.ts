/** The stores of Sotto that every SQL database shares, the description of all tables, and the engine that a database brings. */
export type { EraseSecrets } from './accounts/account-erasure.ts'
export { createAccessTokens } from './access-tokens/access-tokens.ts'
export { createAccounts } from './accounts/accounts.ts'
export { cursorOf, encryptedOf, underKey } from './engine/codec.ts'
export { createTable, type TableDialect } from './engine/create-tables.ts'
export { createDeliveries } from './notifications/deliveries.ts'
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
export { displayNameColumns, displayNameOf, type DisplayNameRow } from './accounts/display-names.ts'
export { createEmailChanges } from './email-changes/email-changes.ts'
export { eraseUpTo, type Erased } from './shared/erase-steps.ts'
export { eventColumns, eventValues } from './shared/events.ts'
export { rememberOwners } from './folders/folder-owners.ts'
export { createFolders } from './folders/folders.ts'
export { createIdentities } from './single-sign-on/identities.ts'
export { createKeys } from './keys/keys.ts'
export { createServers } from './keys/servers.ts'
export { movedFiles, movedPage, movedTables, toSql, type PlaceOfRows } from './storage/move.ts'
export { createOutbox } from './notifications/outbox.ts'
export { createPasskeys } from './passkeys/passkeys.ts'
export { createPasswords } from './passwords/passwords.ts'
export { createRecordUse, rememberUses } from './shared/record-use.ts'
export { createRequests, type InsertSecret } from './requests/requests.ts'
export { createRewrapTexts, createTextCorruption, underOtherKeys } from './keys/rewrap-texts.ts'
export {
  changeFiles,
  countOfFiles,
  createSecretFiles,
  filesOf,
  hasShownFiles,
  withFiles,
  withFilesCount,
} from './files/secret-files.ts'
export { createCounts, statusSql } from './secrets/secret-status.ts'
export { createSessions } from './sessions/sessions.ts'
export { createSignIns } from './passwords/sign-ins.ts'
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
export { createUsedTokens } from './sessions/used-tokens.ts'
export { createWebhooks } from './notifications/webhooks/webhooks.ts'
export { createInvitations } from './invitations/invitations.ts'
