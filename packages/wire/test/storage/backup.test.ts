import type { Uuid } from '@sotto/core'
import t from 'tap'
import { toWireBackup, toWireRestored } from '../../src/storage/backup.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

t.test('a backup and a restore', async (t) => {
  const contents = {
    accounts: 1,
    folders: 2,
    drafts: 3,
    secrets: 4,
    expiredSecrets: 5,
    accessTokens: 6,
    files: 12,
    fileBytes: 13,
    kids: [1, 2],
  }
  const missingFiles = [{ id: 'f' as Uuid, secretId: 's' as Uuid }]
  const missing = '"missing_files":[{"id":"f","secret_id":"s"}]'
  const counts =
    '"accounts":1,"folders":2,"drafts":3,"secrets":4,"expired_secrets":5,"access_tokens":6,"files":12,"file_bytes":13,"kids":[1,2]'
  t.equal(
    JSON.stringify(toWireBackup('/b', { bytes: 9, backedUpAtMicros: 1, contents, missingFiles })),
    `{"file":"/b","bytes":9,"backed_up_at":"${time(1)}",${counts},${missing}}`,
  )
  const restored = {
    backedUpAtMicros: 1,
    contents,
    erasedSecrets: 7,
    destroyedNotes: 8,
    closedRequests: 10,
    revokedTokens: 9,
    restoredFiles: 11,
    missingFiles,
  }
  t.equal(
    JSON.stringify(toWireRestored(restored, 61.9, [])),
    `{"backed_up_at":"${time(1)}","age_seconds":61,${counts},` +
      '"purged_secrets":7,"destroyed_notes":8,"closed_requests":10,"revoked_tokens":9,"restored_files":11,' +
      `${missing},"damaged":[]}`,
  )
  t.equal(toWireRestored(restored, 0, undefined).damaged, null, 'rows that could not be checked')
  t.equal(toWireRestored(restored, -0.5, []).age_seconds, -1, 'a backup from the future')
})
