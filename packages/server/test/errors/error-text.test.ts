import t from 'tap'
import { errorText } from '../../src/errors/error-text.ts'
import type { CliError } from '../../src/errors/errors.ts'

const location = '/srv/sotto/data/sotto.sqlite'

const texts: readonly [CliError, string][] = [
  [{ code: 'storage_unavailable', reason: 'full' }, 'the disk is full'],
  [
    { code: 'storage_unavailable', reason: 'outcome_unknown' },
    'the connection to the database broke, or it was moved, while it was being written: look whether it happened before you try again',
  ],
  [
    { code: 'database_unreachable', location: 'postgres://db/sotto', detail: 'ECONNREFUSED' },
    'the database postgres://db/sotto cannot be reached (ECONNREFUSED): see SOTTO_DATABASE_URL',
  ],
  [
    { code: 'backup_unsupported', detail: 'use pg_dump' },
    'this database is not backed up by sotto: use pg_dump',
  ],
  [
    { code: 'restore_unsupported', detail: 'use pg_restore' },
    'this database is not restored by sotto: use pg_restore',
  ],
  [{ code: 'key_in_use', rows: 1 }, 'the key is in use: 1 row is under it, or it is the active one'],
  [
    { code: 'database_not_writable', location, detail: 'EACCES' },
    `the database ${location} cannot be written (EACCES): see SOTTO_DATA_DIR`,
  ],
  [
    { code: 'not_listening', reason: 'EPERM', setting: 'SOTTO_PORT' },
    'cannot listen (EPERM): see SOTTO_HOST and SOTTO_PORT',
  ],
  [
    { code: 'fields_invalid', errors: [{ field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 }] },
    '--open-limit must be from 0 to 1000000',
  ],
  [{ code: 'examination_failed', findings: 1 }, '1 problem was found'],
]

t.test('an error is described in one clause', async (t) => {
  for (const [error, text] of texts) t.equal(errorText(error), text)
})

t.test('the key file’s errors and the key ring’s describe themselves', async (t) => {
  const message = 'The key file /k is not JSON.'
  t.equal(errorText({ code: 'key_file_not_json', message }), 'the key file /k is not JSON')
  t.equal(errorText({ code: 'keys_unwritable', detail: message }), 'the key file /k is not JSON')
})

t.test('all invalid settings are listed', async (t) => {
  t.equal(
    errorText({ code: 'settings_invalid', errors: ['A must be b', 'C must be d'] }),
    'the settings are not valid:\n  A must be b\n  C must be d',
  )
})
