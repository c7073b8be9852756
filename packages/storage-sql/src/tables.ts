import type { TextColumn } from '@sotto/core'
import { accessTokenTables, accessTokenTexts } from './access-tokens/tables.ts'
import { accountTables, accountTexts } from './accounts/tables.ts'
import { emailChangeTables } from './email-changes/tables.ts'
import type { Table, TextPlace } from './engine/table.ts'
import { fileTables, fileTexts } from './files/tables.ts'
import { folderTables, folderTexts } from './folders/tables.ts'
import { invitationTables } from './invitations/tables.ts'
import { keyTables } from './keys/tables.ts'
import { notificationTables } from './notifications/tables.ts'
import { webhookTables, webhookTexts } from './notifications/webhooks/tables.ts'
import { passkeyTables, passkeyTexts } from './passkeys/tables.ts'
import { passwordTables, passwordTexts } from './passwords/tables.ts'
import { quotaTables } from './quota/tables.ts'
import { requestTables, requestTexts } from './requests/tables.ts'
import { secretTables } from './secrets/tables.ts'
import { sessionTables, sessionTexts } from './sessions/tables.ts'
import { identityTables, identityTexts } from './single-sign-on/tables.ts'

/**
 * Every table and column, for all databases, in an order in which no row comes before one that it refers to. From this description come the
 * statements that create the tables, and the rows that a move, a rotation of keys, an examination and an erasure walk.
 *
 * The tables check the shape of rows, not the rules of the service. `attempts` and `scopes` are spelled by `attemptsText` and `scopesText`.
 */
export const tables = {
  ...keyTables,
  ...quotaTables,
  ...accountTables,
  ...folderTables,
  ...accessTokenTables,
  ...sessionTables,
  ...passwordTables,
  ...passkeyTables,
  ...identityTables,
  ...invitationTables,
  ...emailChangeTables,
  ...webhookTables,
  ...secretTables,
  ...fileTables,
  ...requestTables,
  ...notificationTables,
} as const satisfies Readonly<Record<string, Table>>

/** The name of one of {@link tables}. */
export type TableName = keyof typeof tables

/** All of {@link tables}, in their order. */
export const allTables: readonly Table[] = Object.values(tables)

/** Where each text of {@link TextColumn} is. */
export const textPlaces = {
  ...accountTexts,
  ...folderTexts,
  ...accessTokenTexts,
  ...sessionTexts,
  ...passwordTexts,
  ...passkeyTexts,
  ...identityTexts,
  ...webhookTexts,
  ...fileTexts,
  ...requestTexts,
} as const satisfies Readonly<Record<TextColumn, TextPlace & { readonly table: TableName }>>

/** The tables whose rows are under a key. */
export const keyedTables: readonly string[] = allTables.flatMap(({ name, columns }) =>
  Object.entries(columns).some(([column, { references }]) => column === 'kid' && references === 'keys')
    ? [name]
    : [],
)

/** The latest time at which a row of any table but `secrets` was written, as the end of a query: one column, a row for each time. */
export const latestWrites: string = allTables
  .flatMap(({ name, columns }) =>
    Object.entries(columns).flatMap(([column, { isWrite }]) => (isWrite === true ? [[name, column]] : [])),
  )
  .map(([table, column]) => `UNION ALL SELECT max(${column}) FROM ${table}`)
  .join(' ')
