import assert from 'node:assert/strict'
import type { StoredSecret, StoredSecretFile } from '@sotto/core'
import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import { casesOf } from '../../contract/contract.ts'
import { expectOk } from '../../contract/expect.ts'
import { noonMicros, type Samples } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { filesIn, reserved, openWithTicket } from '../../files/file-rows.ts'
import { addFolder, noteBehind } from '../../stores/rows.ts'
import { backupCase, withStorage, type BackupPlaces, type StorageDriverCase } from './harness.ts'
import { addContent, contentBytes, contentIn, contentOf, keepAll, laterMicros } from './sample-data.ts'

/** Cases of the contents of files in backups. */
export const backupFileCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/backup-has-the-contents-of-files': backupCase({
    rule: 'A backup has the contents of the files of secrets and drafts that have their note, and no content that no row names: a restore brings back those.',
    async check(places) {
      const { driver, make } = places
      const { files, upload } = await withStorage(driver, async (storage) => {
        const folder = await addFolder(storage, make)
        const [secret, draft] = [make.secret(folder), make.draft(folder)]
        const added = [await addWithFile(storage, make, secret), await addWithFile(storage, make, draft)]
        const unnamed = make.uuid()
        await addContent(storage, unnamed)
        return { files: added, upload: unnamed }
      })
      const { target, backup, restored } = await backUpAndRestore(places)
      await withStorage(target, async (storage) => {
        for (const { id } of files) same(await contentIn(storage, id), contentOf(id))
        same(await contentIn(storage, upload), undefined, 'the content that no row names')
        same(await filesIn(storage), await withStorage(driver, filesIn), 'the rows')
      })
      same([backup.contents.files, backup.contents.fileBytes], [2, 2 * contentBytes])
      same(restored.restoredFiles, 2)
    },
  }),
  'storage-driver/restore-leaves-out-files-of-destroyed-notes': backupCase({
    rule: 'A restore brings back no content of a file whose note it destroys, or whose secret it erases.',
    async check(places) {
      const { make } = places
      const files = await withStorage(places.driver, async (storage) => {
        const folder = await addFolder(storage, make)
        const limited = make.secret(folder, noonMicros, { openLimit: 2 })
        const expired = make.secret(folder, noonMicros, { link: make.link(noonMicros, 1_000_000) })
        return [await addWithFile(storage, make, limited), await addWithFile(storage, make, expired)]
      })
      const { target, backup, restored } = await backUpAndRestore(places, { keepLimited: false })
      same([backup.contents.files, restored.restoredFiles], [2, 0], 'files in the backup, and restored ones')
      await withStorage(target, async (storage) => {
        for (const { id } of files) same(await contentIn(storage, id), undefined)
      })
    },
  }),
  'storage-driver/restore-brings-no-ticket-back': backupCase({
    rule: 'A ticket is not found after a restore.',
    async check(places) {
      const { driver, make } = places
      const ticket = await withStorage(driver, async (storage) => {
        const secret = make.secret(await addFolder(storage, make))
        await addWithFile(storage, make, secret)
        return openWithTicket(storage, make, secret, { expiresAtMicros: 2 * laterMicros })
      })
      const { target } = await backUpAndRestore(places)
      const find = ({ secretFiles }: FullOpenStorage) => secretFiles.findTicket(ticket.digest, laterMicros)
      assert.ok(expectOk(await withStorage(driver, async (storage) => find(storage))), 'it is found before')
      same(expectOk(await withStorage(target, async (storage) => find(storage))), undefined)
    },
  }),
  'storage-driver/backup-without-a-content': backupCase({
    rule: 'backUp makes a backup without the content of a file that is missing, and names the ids of the file and its secret, as its restore does, which brings back row and note; a content that is not needed any more, because its note is destroyed, is not named.',
    async check(places) {
      const { driver, make, newBackupFile } = places
      const [spent, whole] = await withStorage(driver, async (storage) => {
        const folder = await addFolder(storage, make)
        const secrets = [make.secret(folder), make.secret(folder, noonMicros + 1)] as const
        for (const secret of secrets) {
          const { id } = await addWithFile(storage, make, secret)
          expectOk(await storage.fileContents.drop(id), 'dropping a content')
        }
        await openWithTicket(storage, make, secrets[0], { destroyNote: true })
        return secrets
      })
      const file = newBackupFile()
      const files = await withStorage(driver, filesIn)
      const missing = files
        .filter(({ secretId }) => secretId === whole.id)
        .map(({ id, secretId }) => ({ id, secretId }))
      const backup = expectOk(await driver.backUp({ file, nowMicros: laterMicros }))
      same(
        [backup.contents.files, backup.missingFiles],
        [0, missing],
        'files in the backup, and missing ones',
      )
      const target = places.newDriver()
      const restored = expectOk(await target.restore({ ...keepAll, file }))
      same([restored.restoredFiles, restored.missingFiles], [0, missing], 'restored and missing files')
      await withStorage(target, async (storage) => {
        same(await filesIn(storage), files, 'the rows')
        assert.ok(await noteBehind(storage, whole.link.lookup), 'the note')
        const over = await filesIn(storage, { overAtMicros: laterMicros })
        same(
          over.map(({ secretId }) => secretId),
          [spent.id],
          'what is over',
        )
      })
    },
  }),
})

/** Adds a secret or draft with a file, and its content. */
export async function addWithFile(
  storage: FullOpenStorage,
  make: Samples,
  secret: StoredSecret,
): Promise<StoredSecretFile> {
  const file = make.file(secret)
  await addContent(storage, file.id)
  const files = await reserved(storage, [file])
  expectOk(await storage.secrets.insert(secret, make.note(), files), 'adding a secret with a file')
  return file
}

async function backUpAndRestore(
  { driver, newBackupFile, newDriver }: BackupPlaces,
  choices: { readonly keepLimited?: boolean } = {},
) {
  const file = newBackupFile()
  const backup = expectOk(await driver.backUp({ file, nowMicros: laterMicros }), 'the backup')
  const target: FullStorageDriver = newDriver()
  const restored = expectOk(await target.restore({ ...keepAll, ...choices, file }), 'the restore')
  return { target, backup, restored }
}
