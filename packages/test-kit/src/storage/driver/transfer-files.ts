import { copyFiles, copyRows } from '@sotto/core'
import { casesOf } from '../../contract/contract.ts'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { noonMicros } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { bytesOf, inPieces, joined } from '../../files/pieces.ts'
import { openWithTicket } from '../../files/file-rows.ts'
import { addFolder } from '../../stores/rows.ts'
import { addWithFile } from './backup-files.ts'
import { transferCase, withStorage, type StorageDriverCase } from './harness.ts'
import { move, withBoth, withSource } from './transferring.ts'
import { contentBytes, contentIn, contentOf } from './sample-data.ts'

/** Cases of the contents of files in moves. */
export const transferFileCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/move-takes-the-contents-of-files-along': transferCase({
    rule: 'A source lists its files by id and reads their contents; a copy that is finished has the same contents.',
    async check({ driver, newDriver, make }) {
      const files = await withStorage(driver, async (storage) => {
        const folder = await addFolder(storage, make)
        const added = []
        for (const secret of [make.secret(folder), make.draft(folder), make.draft(folder)])
          added.push(await addWithFile(storage, make, secret))
        return added
      })
      const ids = files.map(({ id }) => id).toSorted()
      const target = newDriver()
      await withSource(driver, target.location, async (source) => {
        const all = expectOk(await source.files(undefined, 10))
        same(all, files.map(({ id, secretId }) => ({ id, secretId, isNeeded: true })).toSorted(byId))
        same(expectOk(await source.files(all[0]?.id, 1)), [all[1]], 'a page after the first')
        same(expectOk(await source.files(all.at(-1)?.id, 1)), [], 'a page after the last')
      })
      await move(driver, target)
      await withStorage(target, async (storage) => {
        for (const id of ids) same(await contentIn(storage, id), contentOf(id))
      })
    },
  }),
  'storage-driver/move-continues-contents': transferCase({
    rule: 'A content that an interrupted move has stored in part can be dropped and stored again; one that is whole stays.',
    async check({ driver, newDriver, make }) {
      const [first, second] = await withStorage(driver, async (storage) => {
        const folder = await addFolder(storage, make)
        const [one, other] = [make.secret(folder), make.secret(folder, noonMicros + 1)]
        return [await addWithFile(storage, make, one), await addWithFile(storage, make, other)] as const
      })
      const target = newDriver()
      const all = { start: 0, end: contentBytes }
      await withBoth(driver, target, async (source, { fileContents }) => {
        expectOk(await fileContents.append(first.id, source.fileContents.read(first.id, all)))
        expectOk(await fileContents.append(second.id, inPieces(bytesOf(1_000), 1_000)))
      })
      await withBoth(driver, target, async (source, copy) => {
        expectOk(await copyRows(source, copy))
        same(expectOk(await copyFiles(source, copy)), { files: 2, bytes: 2 * contentBytes })
        for (const { id } of [first, second])
          same(await joined(copy.fileContents.read(id, all)), await joined(source.fileContents.read(id, all)))
      })
    },
  }),
  'storage-driver/move-needs-the-contents-of-notes': transferCase({
    rule: 'A source says that the content of a file is needed exactly while its secret or draft has its note, and answers file_missing for one that it does not have.',
    async check({ driver, newDriver, make }) {
      const [spent, whole] = await withStorage(driver, async (storage) => {
        const folder = await addFolder(storage, make)
        const secrets = [make.secret(folder), make.secret(folder, noonMicros + 1)] as const
        for (const secret of secrets)
          expectOk(await storage.fileContents.drop((await addWithFile(storage, make, secret)).id))
        await openWithTicket(storage, make, secrets[0], { destroyNote: true })
        return secrets
      })
      await withBoth(driver, newDriver(), async (source, target) => {
        const needed = expectOk(await source.files(undefined, 10)).map((file) => [
          file.secretId,
          file.isNeeded,
        ])
        same(
          new Map(needed as [string, boolean][]),
          new Map([
            [spent.id, false],
            [whole.id, true],
          ]),
        )
        const missing = expectErr(await copyFiles(source, target), 'move_file_missing')
        same(missing.secretId, whole.id)
      })
    },
  }),
})

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}
