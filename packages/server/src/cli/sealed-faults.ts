import type { BackupFault, RestoreFault } from '../backups.ts'

/** What keeps the commands for keys, backups and the examination from success, beside what keeps any command from it. */
export type SealedFault =
  | Exclude<
      BackupFault | RestoreFault,
      {
        code:
          | `database_${'not_writable' | 'newer' | 'foreign' | 'damaged' | 'busy' | 'unfit'}`
          | `key_file_${string}`
      }
    >
  /** Rows that do not decrypt were left under their key. */
  | { readonly code: 'rows_damaged'; readonly rows: number }
  /** The examination found so many things that want doing. */
  | { readonly code: 'examination_failed'; readonly findings: number }

/** As the texts of all other faults: a sentence without a full stop. */
export const sealedTexts: {
  readonly [Code in SealedFault['code']]: (fault: Extract<SealedFault, { code: Code }>) => string
} = {
  database_missing: ({ path }) => `there is no database at ${path}: see SOTTO_DATA_DIR`,
  database_exists: ({ path }) =>
    `there is ${path} already, and a restore overwrites nothing: move it away first`,
  backup_exists: ({ path }) =>
    `there is ${path} already, and a backup overwrites nothing: choose another name`,
  backup_not_written: ({ path, detail }) => `the backup ${path} cannot be written (${detail})`,
  backup_not_verified: ({ path, detail }) =>
    `the backup ${path} did not come out as the database is (${detail}): try again`,
  backup_unreadable: ({ path, detail }) => `the backup ${path} cannot be read (${detail})`,
  backup_foreign: ({ path }) => `${path} is no backup that was made by: sotto backup`,
  backup_newer: ({ path }) => `the backup ${path} was made by a later version of Sotto: use that version`,
  backup_damaged: ({ path, detail }) => `the backup ${path} is damaged (${detail}): use another one`,
  backup_key_missing: ({ path, kid }) =>
    `the key file ${path} lacks key ${kid}, which the backup was made under: put back a copy that holds it`,
  backup_key_wrong: ({ path, kid }) =>
    `key ${kid} in ${path} is not the one that the backup was made under: put back the right key file`,
  restore_not_written: ({ path, detail }) => `the database ${path} cannot be written (${detail})`,
  rows_damaged: ({ rows }) =>
    `${rows} ${rows === 1 ? 'row does' : 'rows do'} not decrypt: restore a backup, or delete what is damaged`,
  examination_failed: ({ findings }) => `${findings} ${findings === 1 ? 'thing wants' : 'things want'} doing`,
}
