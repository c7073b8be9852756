import {
  digest,
  encrypted,
  flag,
  id,
  integer,
  kid,
  optional,
  time,
  writtenAt,
  type Table,
  type TextPlace,
} from '../engine/table.ts'

export const requestTables = {
  /**
   * The requests with which owners ask strangers for a text. `closes_at`: when it ends. `closed_at`: set once, by its owner. `digest`: of
   * the token of its link. `content`: title, text and that token. `takes_files`: whether an answer may carry files. The database erases requests with their folder, for a server that does
   * not know this table yet erases folders, too.
   */
  requests: {
    name: 'requests',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      folder_id: id,
      created_at: writtenAt,
      closes_at: time,
      closed_at: optional(time),
      answers_allowed: integer,
      answers: integer,
      notify: flag,
      kid,
      digest: { ...digest, unique: true },
      content: encrypted,
      takes_files: { ...flag, default: false },
    },
    partOf: { columns: ['folder_id', 'account_id'], table: 'folders', key: ['id', 'account_id'] },
    indexes: {
      requests_by_time: { on: 'account_id, created_at, id' },
      requests_of_folder: { on: 'folder_id' },
      requests_by_end: { on: 'closes_at' },
    },
    ofAccount: 'many',
  },

  /** The forms that have answered a request. `received_at`: what they were told. */
  answered_forms: {
    name: 'answered_forms',
    key: ['request_id', 'form_id'],
    columns: { request_id: id, form_id: id, received_at: time },
    partOf: { columns: ['request_id'], table: 'requests', key: ['id'] },
    isSmall: true,
  },
} as const satisfies Readonly<Record<string, Table>>

export const requestTexts = {
  'request.content': { table: 'requests', name: 'content', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
