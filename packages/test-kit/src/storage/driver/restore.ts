import assert from 'node:assert/strict'
import { casesOf } from '../../contract/contract.ts'
import type { RequestDigests, Restored, RestoreChoices, StoredShareableSecret } from '@sotto/core'
import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import { expectOk } from '../../contract/expect.ts'
import { noonMicros, type Samples } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { claim, makeDigests } from '../../secrets/idempotency-rows.ts'
import { addFolder } from '../../stores/rows.ts'
import { kids } from '../../stores/harness.ts'
import { backupCase, withStorage, type BackupPlaces, type StorageDriverCase } from './harness.ts'
import { fill, keepAll, laterMicros, signedOut, type SampleData } from './sample-data.ts'

/** Cases of `restore`. */
export const restoreCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/restore-brings-everything-back': backupCase({
    rule: 'restore brings back all rows that have not expired, with their notes and the state of their links, and the instance id.',
    async check(places) {
      const { target, data, instanceId } = await restored(places, {})
      await withStorage(target, async (storage) => {
        same(storage.instanceId, instanceId)
        same(await data.seenIn(storage), { ...data.rows, ...signedOut, expired: undefined, deliveries: [] })
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
      same(done, {
        backedUpAtMicros: laterMicros,
        destroyedNotes: 1,
        closedRequests: 2,
        revokedTokens: 1,
        erasedSecrets: 1,
        restoredFiles: 1,
        missingFiles: [],
      })
    },
  }),
  'storage-driver/restore-closes-requests': backupCase({
    rule: 'Without keepLimited all requests are closed: nobody can answer them, and a form that has answered one is still known.',
    async check(places) {
      const { target, data } = await restored(places, { keepLimited: false })
      const { request, answered } = await withStorage(target, data.seenIn)
      same(request, undefined, 'one that could be answered')
      const { state, receivedAtMicros } = data.rows.answered ?? {}
      same(answered?.receivedAtMicros, receivedAtMicros)
      same(answered?.state, { ...state, closedAtMicros: laterMicros })
    },
  }),
  'storage-driver/restore-destroys-limited-notes': backupCase({
    rule: 'Without keepLimited the notes of shareable secrets with an open limit are destroyed; other notes, and those of drafts, stay.',
    async check(places) {
      const { target, data } = await restored(places, { keepLimited: false })
      const { rows } = data
      const { limited, secrets, link, draft } = await withStorage(target, data.seenIn)
      same(limited, undefined, 'the note of the limited secret')
      same(secrets, rows.secrets, 'all secrets')
      same(
        { link, draft },
        { link: rows.link, draft: rows.draft },
        'one without a limit, and a draft with one',
      )
    },
  }),
  'storage-driver/restore-revokes-tokens': backupCase({
    rule: 'Without keepTokens the access tokens that are accepted are revoked at the time of the restore; revoked ones keep their time.',
    async check(places) {
      const { target, data } = await restored(places, { keepTokens: false })
      const { tokens, token } = await withStorage(target, data.seenIn)
      same(
        tokens.map(({ revokedAtMicros }) => revokedAtMicros),
        [laterMicros, 7],
      )
      same(token, undefined, 'the one that was accepted')
    },
  }),
  'storage-driver/restore-erases-the-expired': backupCase({
    rule: 'restore erases the secrets that have expired, and records that as a sweep.',
    async check(places) {
      const { target, data } = await restored(places, {})
      await withStorage(target, async (storage) => {
        same((await data.seenIn(storage)).expired, undefined)
        same(expectOk(await storage.upkeep.lastSweep()), laterMicros)
      })
    },
  }),
  'storage-driver/restore-signs-everybody-out': backupCase({
    rule: 'Sessions, one-time links, waiting changes of email addresses, attempts to sign in and known addresses never come back.',
    async check(places) {
      const { target, data } = await restored(places, {})
      for (const name of Object.keys(signedOut) as readonly (keyof typeof signedOut)[]) {
        assert.notDeepEqual(data.rows[name], signedOut[name], name)
        same((await withStorage(target, data.seenIn))[name], signedOut[name], name)
      }
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
      const claimOnce = (storage: FullOpenStorage) => claimFirst(storage, make)
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
})

export interface BackedUp {
  readonly file: string
  readonly data: SampleData
  readonly instanceId: Uint8Array
}

/** Writes the sample data, counts a call of a bucket, and makes a backup. */
export async function backedUp({ driver, make, newBackupFile }: BackupPlaces): Promise<BackedUp> {
  const write = async (storage: FullOpenStorage) => {
    expectOk(await storage.quota.take('bucket', noonMicros, { perMinute: 9, perDay: 9 }))
    return { data: await fill(storage, make), instanceId: Uint8Array.from(storage.instanceId) }
  }
  const filled = await withStorage(driver, write)
  const file = newBackupFile()
  expectOk(await driver.backUp({ file, nowMicros: laterMicros }), 'the backup')
  return { file, ...filled }
}

/** Backs up the sample data and restores it to another place. */
export async function restored(
  places: BackupPlaces,
  choices: Partial<RestoreChoices>,
): Promise<BackedUp & { readonly target: FullStorageDriver; readonly report: Restored }> {
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
async function claimFirst(storage: FullOpenStorage, make: Samples): Promise<Claimed> {
  const secret = make.secret(await addFolder(storage, make))
  const digests = makeDigests(make)
  expectOk(await storage.idempotencyKeys.insertSecret(secret, make.note(), claim([digests])), 'the claim')
  return { secret, digests }
}
