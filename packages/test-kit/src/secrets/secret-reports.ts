import { subjectOf, type StoredSecret, type StoredShareableSecret } from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { addFolder, addSecrets, destroyNote } from '../stores/rows.ts'
import { ascending } from '../stores/paging.ts'

/** Cases of what `eraseExpired` reports. */
export const secretReportCases: readonly StorageCase[] = together({
  'secret-store/erase-reports-the-unopened': storageCase({
    rule: 'Those of the erased secrets that have notify and were never opened are passed to report, as they were stored, and its events are in the outbox.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const expired = (columns: Partial<StoredSecret>) => make.secret(folder, 0, columns)
      const unopened = [expired({ notify: true }), expired({ notify: true, openLimit: 3, hasPassword: true })]
      const [opened, silent] = [expired({ notify: true }), expired({})]
      const live = make.secret(folder, noonMicros, { notify: true })
      await addSecrets(store, make, [...unopened, opened, silent, live])
      await destroyNote(store, opened)
      const seen = new Map<string, StoredShareableSecret>()
      const erased = await store.secrets.eraseExpired(noonMicros, 10, (secret) => {
        seen.set(secret.id, secret)
        return eventOf(make, secret)
      })
      same(expectOk(erased), 4, 'how many were erased')
      same([...seen.values()].toSorted(byId), unopened, 'what was reported')
      const events = expectOk(await store.outbox.page(undefined, 10))
      same(
        events
          .map((event) => ({ secretId: subjectOf(event), type: event.type }))
          .toSorted((one, other) => (one.secretId < other.secretId ? -1 : 1)),
        unopened.map(({ id }) => ({ secretId: id, type: 'secret.expired_unopened' })),
        'the events',
      )
    },
  }),
  'secret-store/erase-reports-wrong-attempts-as-unopened': storageCase({
    rule: 'A secret that was only attempted with wrong passwords counts as never opened.',
    async check(store, make) {
      const secret = make.secret(await addFolder(store, make), 0, { notify: true, hasPassword: true })
      await addSecrets(store, make, [secret])
      const attempted = await store.links.update(secret.link.lookup, undefined, ({ state }) =>
        ok({ attempts: { ...state.attempts, wrongTotal: 1 } }),
      )
      expectOk(attempted)
      expectOk(await store.secrets.eraseExpired(noonMicros, 10, (each) => eventOf(make, each)))
      same(expectOk(await store.outbox.page(undefined, 10)).length, 1, 'how many events there are')
    },
  }),
  'secret-store/erase-reports-each-secret-once': besideCase({
    rule: 'Each erased secret is reported by one event, in the step that erases it, however many callers erase at the same time with whatever limit.',
    async check(store, beside, make) {
      const folder = await addFolder(store, make)
      const secrets = Array.from({ length: 12 }, () => make.secret(folder, 0, { notify: true }))
      await addSecrets(store, make, secrets)
      const erase = async ({ secrets: from }: StorageUnderTest) =>
        expectOk(await from.eraseExpired(noonMicros, 3, (secret) => eventOf(make, secret)))
      same(await erase(store), 3, 'how many the first call erased')
      same((await reported(store)).length, 3, 'how many it reported')
      const erased = await Promise.all([store, beside, store, beside, store].map(erase))
      same(
        erased.reduce((sum, each) => sum + each, 3),
        12,
        'how many were erased',
      )
      same((await reported(store)).toSorted(), secrets.map(({ id }) => id).toSorted(), 'the reported ones')
    },
  }),
})

function eventOf(make: Samples, { accountId, id, folderId, link }: StoredShareableSecret) {
  const { expiresAtMicros } = link
  const about = { secretId: id, folderId, opens: 0, createdAtMicros: expiresAtMicros, expiresAtMicros }
  return make.event(accountId, { type: 'secret.expired_unopened', ...about })
}

async function reported({ outbox }: StorageUnderTest): Promise<readonly string[]> {
  return expectOk(await outbox.page(undefined, 100)).map(subjectOf)
}

function byId(one: StoredShareableSecret, other: StoredShareableSecret): number {
  return ascending({ createdAtMicros: 0, id: one.id }, { createdAtMicros: 0, id: other.id })
}
