import { test } from 'tap'
import { storageErrorOf } from '../../src/connection/errors.ts'
import { fileErrorOf } from '../../src/files/file-error.ts'
import { systemError } from '../support/file-store.ts'

test("each of the file system's errors has its storage error", (t) => {
  for (const code of ['ENOSPC', 'EFBIG'])
    t.same(fileErrorOf(systemError(code)), { code: 'storage_unavailable', reason: 'full' }, code)
  for (const detail of ['EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE']) {
    const failed = { code: 'storage_unavailable', reason: 'disk_failed', detail }
    t.same(fileErrorOf(systemError(detail)), failed, detail)
  }
  t.same(fileErrorOf(systemError('EISDIR')), { code: 'storage_failed', detail: 'EISDIR' })
  const other = new TypeError('a programming mistake')
  t.same(fileErrorOf(other), storageErrorOf(other))
  t.end()
})
