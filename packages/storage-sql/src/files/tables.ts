import {
  ciphertext,
  digest,
  encrypted,
  flag,
  id,
  integer,
  kid,
  time,
  type Table,
  type TextPlace,
} from '../engine/table.ts'

export const fileTables = {
  /**
   * The files of secrets, each under the id of its content. `shown`: whether recipients see it before they open. `about`: its size, type and
   * name. `bytes`: what it counts; 0 where a server wrote the row that does not know this column. `secret_id` and `account_id` refer to nothing:
   * a row stays until the bytes of its content are gone. One that was removed from its draft has the nil UUID as `secret_id`.
   */
  files: {
    name: 'files',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      secret_id: id,
      nr: integer,
      shown: flag,
      kid,
      about: encrypted,
      bytes: { ...integer, default: 0, check: 'bytes >= 0' },
    },
    indexes: {
      files_of_secret: { on: 'secret_id, nr' },
      files_of_account: { on: 'account_id, id' },
    },
  },

  /**
   * Contents that arrive, each under the id that its file will have. `bytes`: what it counts. `ahead`: how many of them may not be written yet.
   * `counts_until`: until when it counts unless somebody says that it still arrives; 0 once that was over, from when on it does not become a file.
   */
  file_uploads: {
    name: 'file_uploads',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      secret_id: id,
      bytes: { ...integer, check: 'bytes >= 0' },
      ahead: integer,
      counts_until: time,
    },
    indexes: {
      file_uploads_of_secret: { on: 'secret_id' },
      file_uploads_of_account: { on: 'account_id' },
      file_uploads_by_end: { on: 'counts_until, id' },
      file_uploads_ahead: { on: 'ahead' },
    },
  },

  /** What the files of an account and its contents that arrive count together, in bytes, where there are any. */
  file_sums: {
    name: 'file_sums',
    key: ['account_id'],
    columns: { account_id: id, bytes: { ...integer, check: 'bytes >= 0' } },
    ofAccount: 'few',
    isSmall: true,
  },

  /**
   * The tickets with which the files of an opened secret are fetched. `digest`: of the ticket. `sealed`: what the ticket opens. The
   * database erases them with their secret, for a server that does not know this table yet erases secrets, too.
   */
  file_tickets: {
    name: 'file_tickets',
    key: ['digest'],
    columns: { digest, secret_id: id, account_id: id, expires_at: time, sealed: ciphertext },
    partOf: { columns: ['secret_id'], table: 'secrets', key: ['id'] },
    indexes: {
      file_tickets_of_secret: { on: 'secret_id, expires_at' },
      file_tickets_by_end: { on: 'expires_at' },
    },
  },
} as const satisfies Readonly<Record<string, Table>>

export const fileTexts = {
  'file.about': { table: 'files', name: 'about', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
