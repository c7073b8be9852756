import { casesOf } from '../../contract.ts'
import { err, ok } from 'neverthrow'
import type {
  BackedUpKeys,
  OpenStorage,
  RequestDigests,
  Restored,
  RestoreChoices,
  StorageDriver,
  StoredShareableSecret,
} from '@sotto/core'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import { claim, makeDigests } from '../storage/idempotency-rows.ts'
import { addFolder, linkRecordOf } from '../storage/rows.ts'
import { kids, sampleKey } from '../storage/harness.ts'
import { backupCase, openOptions, withStorage, type BackupPlaces, type StorageDriverCase } from './harness.ts'
import { addSignIn, signInOf } from './sign-in-data.ts'
import { fill, keepAll, laterMicros, rowsOf, type SampleData } from './sample-data.ts'

/** Cases of `restore`. */
export const restoreCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/restore-brings-everything-back': backupCase({
    rule: 'restore brings back all rows that have not expired, with their notes and the state of their links, and the instance id.',
    async check(places) {
      const { target, written, instanceId } = await restored(places, {})
      await withStorage(target, async (storage) => {
        same(storage.instanceId, instanceId)
        const { expired: _, ...rows } = await rowsOf(storage, written)
        const { expired: __, ...expected } = written
        same(rows, { ...expected, sessions: [] })
        const found = await linkRecordOf(storage, written.limited.link.lookup)
        same(found?.state.opens, 1, 'the opens of the limited secret')
        same(
          expectOk(await storage.keys.list()).map(({ kid }) => kid),
          [kids.writable, kids.spare],
        )
      })
    },
  }),
  'storage-driver/restore-reports-what-it-did': backupCase({
    rule: 'restore answers the time of the backup, what it held, and how much was destroyed, revoked and erased.',
    async check(places) {
      const { report } = await restored(places, { keepLimited: false, keepTokens: false })
      const { contents, ...done } = report
      same(contents.secrets, 2, 'secrets in the backup')
      same(contents.expiredSecrets, 1, 'expired secrets in the backup')
      same(done, { backedUpAtMicros: laterMicros, destroyedNotes: 1, revokedTokens: 1, erasedSecrets: 1 })
    },
  }),
  'storage-driver/restore-destroys-limited-notes': backupCase({
    rule: 'Without keepLimited the notes of shareable secrets with an open limit are destroyed; other notes, and those of drafts, stay.',
    async check(places) {
      const { target, written } = await restored(places, { keepLimited: false })
      const rows = await withStorage(target, (storage) => rowsOf(storage, written))
      same(rows.limitedNote, undefined, 'the note of the limited secret')
      same(rows.limited, written.limited, 'the limited secret')
      same(rows.unlimitedNote, written.unlimitedNote, 'the note of the unlimited secret')
      same(rows.draftNote, written.draftNote, 'the note of the draft with a limit')
    },
  }),
  'storage-driver/restore-revokes-tokens': backupCase({
    rule: 'Without keepTokens the access tokens that are accepted are revoked at the time of the restore; revoked ones keep their time.',
    async check(places) {
      const { target, written } = await restored(places, { keepTokens: false })
      const { tokens } = await withStorage(target, (storage) => rowsOf(storage, written))
      same(
        tokens?.map(({ revokedAtMicros }) => revokedAtMicros),
        [laterMicros, noonMicros + 2],
      )
    },
  }),
  'storage-driver/restore-erases-the-expired': backupCase({
    rule: 'restore erases the secrets that have expired, and records that as a sweep.',
    async check(places) {
      const { target, written } = await restored(places, {})
      await withStorage(target, async (storage) => {
        same((await rowsOf(storage, written)).expired, undefined)
        same(expectOk(await storage.upkeep.lastSweep()), laterMicros)
      })
    },
  }),
  'storage-driver/restore-signs-everybody-out': backupCase({
    rule: 'Sessions, one-time links, waiting changes of email addresses, attempts to sign in and known addresses never come back.',
    async check(places) {
      const { driver, make } = places
      const write = async (storage: OpenStorage) => {
        const written = await fill(storage, make)
        return { written, signIn: await addSignIn(storage, make, written.account.id) }
      }
      const { written, signIn } = await withStorage(driver, write)
      const file = places.newBackupFile()
      expectOk(await driver.backUp({ file, nowMicros: laterMicros }))
      const isThere = { sessions: 1, invitation: true, change: true, attempts: 1, address: true }
      same(await withStorage(driver, (storage) => signInOf(storage, signIn)), isThere, 'before')
      const target = places.newDriver()
      expectOk(await target.restore({ ...keepAll, file }))
      const isGone = { sessions: 0, invitation: false, change: false, attempts: 0, address: false }
      same(await withStorage(target, (storage) => signInOf(storage, signIn)), isGone, 'after the restore')
      const { password } = await withStorage(target, (storage) => rowsOf(storage, written))
      same(password, written.password, 'the password')
    },
  }),
  'storage-driver/restore-has-no-quota': backupCase({
    rule: "A backup does not hold the quota's counters: after a restore every bucket is empty.",
    async check(places) {
      const { target } = await restored(places, {})
      await withStorage(target, async ({ quota }) => {
        same(expectOk(await quota.peek('bucket', noonMicros)).day.count, 0)
      })
    },
  }),
  'storage-driver/restore-empties-the-outbox': backupCase({
    rule: 'No event and no delivery waits after a restore: it may have been sent since the backup.',
    async check(places) {
      const { target } = await restored(places, {})
      await withStorage(target, async ({ outbox, deliveries }) => {
        same(expectOk(await outbox.page(undefined, 10)), [], 'the events')
        same(expectOk(await deliveries.page({}, undefined, 10)), [], 'the deliveries')
        const state = { events: 0, waiting: 0, dead: 0, oldestMicros: undefined }
        same(expectOk(await deliveries.state()), state)
      })
    },
  }),
  'storage-driver/restore-keeps-claims': backupCase({
    rule: 'The claims of idempotency keys are those of the backup: one from before it is found, with the secret it was made for; one from after it is not.',
    async check(places) {
      const { driver, make } = places
      const claimOnce = (storage: OpenStorage) => claimFirst(storage, make)
      const before = await withStorage(driver, async (storage) => {
        await fill(storage, make)
        return claimOnce(storage)
      })
      const file = places.newBackupFile()
      expectOk(await driver.backUp({ file, nowMicros: laterMicros }))
      const after = await withStorage(driver, claimOnce)
      const target = places.newDriver()
      expectOk(await target.restore({ ...keepAll, file }))
      await withStorage(target, async ({ idempotencyKeys }) => {
        const find = async ({ secret: { accountId }, digests: { key } }: Claimed) =>
          expectOk(await idempotencyKeys.find(accountId, [key], -1))
        const { secret, digests } = before
        same(await find(before), { request: digests.request, secretId: secret.id }, 'from before the backup')
        same(await find(after), undefined, 'from after the backup')
      })
    },
  }),
  'storage-driver/restore-replaces-no-data': backupCase({
    rule: 'restore answers database_exists where there is data, and changes nothing.',
    async check(places) {
      const { driver, make } = places
      const { file, written } = await backedUp(places)
      const more = await withStorage(driver, async ({ folders }) => {
        const folder = make.folder(written.account.id)
        expectOk(await folders.insert(folder))
        return folder
      })
      expectErr(await driver.restore({ ...keepAll, file }), 'database_exists')
      await withStorage(driver, async ({ folders }) => {
        same(expectOk(await folders.owns(more.accountId, more.id)), true, 'whether a later row is there')
      })
    },
  }),
  'storage-driver/restore-of-no-backup': backupCase({
    rule: 'restore answers backup_unreadable when there is no file, and makes no data.',
    async check({ newDriver, newBackupFile }) {
      const target = newDriver()
      expectErr(await target.restore({ ...keepAll, file: newBackupFile() }), 'backup_unreadable')
      same(expectOk(await target.hasData()), false)
    },
  }),
  'storage-driver/restore-checks-the-keys': backupCase({
    rule: 'restore passes the instance id and the keys of the backup to checkKeys before it writes; an Err is returned and no data made.',
    async check(places) {
      const { file, instanceId } = await backedUp(places)
      const target = places.newDriver()
      let seen: BackedUpKeys | undefined
      const error = { code: 'key_ring_unfit', kid: kids.writable } as const
      let hadData = target.hasData()
      const checkKeys = (keys: BackedUpKeys) => {
        seen = keys
        hadData = target.hasData()
        return err(error)
      }
      same(expectErr(await target.restore({ ...keepAll, file, checkKeys })), error)
      same(expectOk(await hadData), false, 'whether there is data when the keys are checked')
      same(expectOk(await target.hasData()), false)
      same(seen?.instanceId, instanceId)
      const keys = [kids.writable, kids.spare].map((kid) => {
        const { checkValue } = sampleKey(kid)
        return { kid, checkValue, isUsed: kid === kids.writable }
      })
      same(
        seen?.keys.toSorted((one, other) => one.kid - other.kid),
        keys,
      )
    },
  }),
  'storage-driver/restore-forgets-missing-keys': backupCase({
    rule: 'A key that checkKeys does not answer with is not known afterwards.',
    async check(places) {
      const { file } = await backedUp(places)
      const target = places.newDriver()
      expectOk(await target.restore({ ...keepAll, file, checkKeys: () => ok([kids.writable]) }))
      const storage = expectOk(await target.open(openOptions))
      try {
        same(
          expectOk(await storage.keys.list()).map(({ kid }) => kid),
          [kids.writable],
        )
      } finally {
        await storage.close()
      }
    },
  }),
})

interface BackedUp {
  readonly file: string
  readonly written: SampleData
  readonly instanceId: Uint8Array
}

/** Writes the sample data, counts a call of a bucket, and makes a backup. */
async function backedUp({ driver, make, newBackupFile }: BackupPlaces): Promise<BackedUp> {
  const write = async (storage: OpenStorage) => {
    expectOk(await storage.quota.take('bucket', noonMicros, { perMinute: 9, perDay: 9 }))
    return { written: await fill(storage, make), instanceId: Uint8Array.from(storage.instanceId) }
  }
  const data = await withStorage(driver, write)
  const file = newBackupFile()
  expectOk(await driver.backUp({ file, nowMicros: laterMicros }), 'the backup')
  return { file, ...data }
}

/** Backs up the sample data and restores it to another place. */
async function restored(
  places: BackupPlaces,
  choices: Partial<RestoreChoices>,
): Promise<BackedUp & { readonly target: StorageDriver; readonly report: Restored }> {
  const backup = await backedUp(places)
  const target = places.newDriver()
  const report = expectOk(await target.restore({ ...keepAll, ...choices, file: backup.file }), 'the restore')
  return { ...backup, target, report }
}

interface Claimed {
  readonly secret: StoredShareableSecret
  readonly digests: RequestDigests
}

/** Adds a secret, in a folder of its own, for the first request with its idempotency key. */
async function claimFirst(storage: OpenStorage, make: Samples): Promise<Claimed> {
  const secret = make.secret(await addFolder(storage, make))
  const digests = makeDigests(make)
  expectOk(await storage.idempotencyKeys.insertSecret(secret, make.note(), claim([digests])), 'the claim')
  return { secret, digests }
}
