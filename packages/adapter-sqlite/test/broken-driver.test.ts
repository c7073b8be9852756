import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TransferSource } from '@sotto/core'
import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import { expectOk, storageDriverContract, type StorageDriverHarness } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { okAsync, type ResultAsync } from 'neverthrow'
import { test } from 'tap'
import { sqliteDriver } from '../src/identity.ts'
import { piecesOf } from './support/files.ts'
import { quiet } from './support/helpers.ts'

/** What each driver of a place with a flaw does differently. */
type Flaw = (driver: FullStorageDriver) => Partial<FullStorageDriver>

/** A driver with a flaw, of whose contents of files the contract has to take notice. */
interface Broken {
  readonly flaw: string
  readonly breaks: readonly string[]
  readonly change: Flaw
}

/** Works on the storage after an operation on the place was Ok. */
function afterwards<T, E>(
  done: ResultAsync<T, E>,
  driver: FullStorageDriver,
  work: (storage: FullOpenStorage) => Promise<unknown>,
): ResultAsync<T, E> {
  return done.map(async (value) => {
    const storage = expectOk(await driver.open(quiet))
    await work(storage)
    await storage.close()
    return value
  })
}

async function dropAll({ fileContents }: FullOpenStorage): Promise<void> {
  for (const { id } of expectOk(await fileContents.page(undefined, 100)))
    expectOk(await fileContents.drop(id))
}

/** Where the contents of backups are kept by a driver that takes all of them along. */
const aside = (file: string): string => `${file}.files`

/** Backs up and restores the directory of contents as it is. */
const copiesTheDirectory: Flaw = (driver) => ({
  backUp: (options) =>
    driver.backUp(options).map((backup) => {
      cpSync(join(driver.location, 'files'), aside(options.file), { recursive: true })
      return backup
    }),
  restore: (options) =>
    driver.restore(options).map((restored) => {
      cpSync(aside(options.file), join(driver.location, 'files'), { recursive: true })
      return restored
    }),
})

function brokenSource(change: (source: TransferSource) => Partial<TransferSource>): Flaw {
  return (driver) => ({
    openTransferSource: (options) =>
      driver.openTransferSource(options).map((source) => ({ ...source, ...change(source) })),
  })
}

const brokenDrivers: readonly Broken[] = [
  {
    flaw: 'restores no contents',
    breaks: ['backup-has-the-contents-of-files', 'restore-brings-everything-back'],
    change: (driver) => ({ restore: (options) => afterwards(driver.restore(options), driver, dropAll) }),
  },
  {
    flaw: 'takes along what is in the directory of contents, whatever names it',
    breaks: ['backup-has-the-contents-of-files', 'restore-leaves-out-files-of-destroyed-notes'],
    change: copiesTheDirectory,
  },
  {
    flaw: 'restores another content',
    breaks: ['backup-has-the-contents-of-files'],
    change: (driver) => ({
      restore: (options) =>
        afterwards(driver.restore(options), driver, async (storage) => {
          const contents = expectOk(await storage.fileContents.page(undefined, 100))
          await dropAll(storage)
          for (const { id, length } of contents)
            expectOk(await storage.fileContents.append(id, piecesOf(Buffer.alloc(length))))
        }),
    }),
  },
  {
    flaw: 'counts no contents',
    breaks: ['backup-reports-its-contents', 'backup-has-the-contents-of-files'],
    change: (driver) => ({
      backUp: (options) =>
        driver
          .backUp(options)
          .map((backup) => ({ ...backup, contents: { ...backup.contents, files: 0, fileBytes: 0 } })),
    }),
  },
  {
    flaw: 'brings tickets back',
    breaks: ['restore-brings-no-ticket-back'],
    change: (driver) => ({
      restore: (options) =>
        driver.restore(options).map((restored) => {
          const db = new Sqlite(join(driver.location, 'sotto.sqlite'))
          db.prepare('ATTACH ? AS backup').run(`file:${options.file}?mode=ro`)
          db.exec('INSERT INTO file_tickets SELECT * FROM backup.file_tickets')
          db.close()
          return restored
        }),
    }),
  },
  {
    flaw: 'does not name a content that is missing from a backup',
    breaks: ['backup-without-a-content'],
    change: (driver) => ({
      backUp: (options) => driver.backUp(options).map((backup) => ({ ...backup, missingFiles: [] })),
    }),
  },
  {
    flaw: 'does not name a content that is missing from what was restored',
    breaks: ['backup-without-a-content'],
    change: (driver) => ({
      restore: (options) => driver.restore(options).map((restored) => ({ ...restored, missingFiles: [] })),
    }),
  },
  {
    flaw: 'moves no contents',
    breaks: ['move-takes-the-contents-of-files-along', 'move-continues-contents'],
    change: (driver) => ({
      openTransferTarget: (options) =>
        driver.openTransferTarget(options).map((target) => {
          const { fileContents } = target
          return { ...target, fileContents: { ...fileContents, append: () => okAsync(undefined) } }
        }),
    }),
  },
  {
    flaw: 'lists the first files again and again',
    breaks: ['move-takes-the-contents-of-files-along'],
    change: brokenSource(({ files }) => ({ files: (_after, limit) => files(undefined, limit) })),
  },
  {
    flaw: 'lists all files at once',
    breaks: ['move-takes-the-contents-of-files-along'],
    change: brokenSource(({ files }) => ({ files: (after) => files(after, 100) })),
  },
  {
    flaw: 'lists no files',
    breaks: [
      'move-takes-the-contents-of-files-along',
      'move-continues-contents',
      'move-takes-every-row-along',
    ],
    change: brokenSource(() => ({ files: () => okAsync([]) })),
  },
  ...[true, false].map((isNeeded) => ({
    flaw: `says of each content that it is ${isNeeded ? '' : 'not '}needed`,
    breaks: ['move-needs-the-contents-of-notes'],
    change: brokenSource(({ files }) => ({
      files: (...page) => files(...page).map((found) => found.map((file) => ({ ...file, isNeeded }))),
    })),
  })),
  {
    flaw: 'gives nothing for a content that is missing',
    breaks: ['move-needs-the-contents-of-notes'],
    change: brokenSource(({ fileContents }) => ({
      fileContents: {
        read: async function* (id, range) {
          for await (const piece of fileContents.read(id, range)) if (piece.isOk()) yield piece
        },
      },
    })),
  },
]

function harnessOf(change: Flaw): StorageDriverHarness {
  return {
    supports: ['backup', 'move'],
    async open() {
      const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sotto-broken-'))
      let made = 0
      const newPath = () => join(dir, `new-${(made += 1)}`)
      const newDriver = () => {
        const driver = sqliteDriver({ dataDir: newPath() })
        return { ...driver, ...change(driver) }
      }
      const dispose = async () => rmSync(dir, { recursive: true, force: true })
      return { driver: newDriver(), newDriver, newBackupFile: newPath, dispose }
    },
  }
}

for (const { flaw, breaks, change } of brokenDrivers) {
  for (const name of breaks) {
    void test(`${name} notices a driver that ${flaw}`, async (t) => {
      const each = storageDriverContract.find(({ id }) => id === `storage-driver/${name}`)
      if (each === undefined) return void t.fail('there is no such case')
      await t.rejects(each.run(harnessOf(change)), { name: 'AssertionError', message: each.rule })
    })
  }
}
