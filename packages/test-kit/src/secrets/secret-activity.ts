import { casesOf } from '../contract/contract.ts'
import { noAttempts, openTimesMax, type SecretActivity, type StoredShareableSecret } from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  durableCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import {
  addDraft,
  addFolder,
  addLink,
  addSecrets,
  destroyNote,
  linkRecordOf,
  noteBehind,
  recordWithNote,
  secretOf,
} from '../stores/rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'secret-store/activity-is-of-own-secrets': storageCase({
    rule: "activity gives that of the account's shareable secret, expired or not, and undefined for a draft, an unknown id and another account's secret.",
    async check(store, make) {
      const [folder, elsewhere] = [await addFolder(store, make), await addFolder(store, make)]
      const rows = [make.secret(folder), make.secret(folder, 0)]
      const [draft, theirs] = [make.draft(folder), make.secret(elsewhere)]
      await addSecrets(store, make, [...rows, draft, theirs])
      for (const { accountId, id } of rows)
        same(expectOk(await store.secrets.activity(accountId, id)), freshActivity)
      for (const id of [draft.id, make.uuid(), theirs.id])
        same(expectOk(await store.secrets.activity(folder.accountId, id)), undefined)
    },
  }),
  'secret-store/erase-takes-one-secret': storageCase({
    rule: 'erase erases a shareable secret, expired or not, and no other, and answers Ok(true); the second time it answers Ok(false).',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = [make.secret(folder), make.secret(folder, 0)]
      const other = make.secret(folder)
      await addSecrets(store, make, [...rows, other])
      for (const { accountId, id } of rows) {
        for (const isThere of [true, false]) {
          same(expectOk(await store.secrets.erase(accountId, id)), isThere)
          same(await secretOf(store, accountId, id), undefined)
        }
      }
      same(await secretOf(store, other.accountId, other.id), other)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'secret-store/activity-shows-what-happened': storageCase({
    rule: 'activity shows the opens, the attempts, whether the note is there, and the open times of each secret.',
    async check(store, make) {
      const [opened, destroyed] = [await addLink(store, make), await addLink(store, make)]
      const attempts = { ...noAttempts, wrongAtMicros: [noonMicros], wrongTotal: 3 }
      const change = { opens: 2, attempts, openedAtMicros: noonMicros + 5 }
      expectOk(await store.links.update(opened.secret.link.lookup, undefined, () => ok(change)))
      await destroyNote(store, destroyed.secret)
      const seen = { ...freshActivity, opens: 2, attempts, openedAtMicros: [noonMicros + 5] }
      same(await activityOf(store, opened.secret), seen)
      const gone = { ...freshActivity, opens: 1, hasNote: false }
      same(await activityOf(store, destroyed.secret), gone)
    },
  }),
  'secret-store/open-times-are-in-the-order-of-the-claims': storageCase({
    rule: 'Open times are in the order of the claims, equal and earlier times included; a change without one leaves them as they are.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      const times = [noonMicros + 9, noonMicros + 3, noonMicros + 3, noonMicros + 7]
      for (const openedAtMicros of times) await open(store, secret, openedAtMicros)
      expectOk(await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 9 })))
      same((await activityOf(store, secret))?.openedAtMicros, times)
    },
  }),
  'secret-store/the-latest-open-times-remain': storageCase({
    rule: 'Of the open times of one secret the 100 latest claims remain; those of other secrets stay.',
    async check(store, make) {
      const [busy, quiet] = [await addLink(store, make), await addLink(store, make)]
      await open(store, quiet.secret, noonMicros)
      const times = Array.from({ length: openTimesMax + 3 }, (_, at) => noonMicros + at)
      for (const openedAtMicros of times) await open(store, busy.secret, openedAtMicros)
      same((await activityOf(store, busy.secret))?.openedAtMicros, times.slice(-openTimesMax))
      same((await activityOf(store, quiet.secret))?.openedAtMicros, [noonMicros])
    },
  }),
  'secret-store/opens-are-news-for-notify': storageCase({
    rule: 'Each open of a secret with notify is news, none of another; activity and overviews show it, and counts sums it up.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const quiet = await addLink(store, make, folder)
      const told = make.secret(folder, undefined, { notify: true })
      const gone = make.secret(folder, 0, { notify: true })
      await addSecrets(store, make, [told, gone])
      for (const secret of [quiet.secret, gone]) await open(store, secret, noonMicros)
      await Promise.all([1, 2, 3].map((at) => open(store, told, noonMicros + at)))
      expectOk(await store.links.update(told.link.lookup, undefined, () => ok({ opens: 9 })))
      for (const [secret, news] of [
        [quiet.secret, 0],
        [told, 3],
        [gone, 1],
      ] as const)
        same((await activityOf(store, secret))?.news, news)
      const filter = { accountId: folder.accountId, nowMicros: noonMicros }
      const overviews = expectOk(await store.secrets.overviews(filter, undefined, 10))
      same(overviews.find(({ secret }) => secret.id === told.id)?.activity.news, 3)
      same(expectOk(await store.secrets.counts(filter)).news, 3)
    },
  }),
  'secret-store/seen-is-no-news': storageCase({
    rule: 'markSeen takes the news from the secret of the account, if it has as much as named; other secrets, other accounts and other news stay.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [seen, other] = [1, 2].map(() => make.secret(folder, undefined, { notify: true }))
      const elsewhere = await addLink(store, make)
      if (seen === undefined || other === undefined) return
      await addSecrets(store, make, [seen, other])
      for (const secret of [seen, other, seen]) await open(store, secret, noonMicros)
      const newsOf = async (secret: StoredShareableSecret) => (await activityOf(store, secret))?.news
      const { accountId, id } = seen
      expectOk(await store.secrets.markSeen(accountId, id, 1))
      expectOk(await store.secrets.markSeen(elsewhere.secret.accountId, id, 2))
      expectOk(await store.secrets.markSeen(accountId, make.uuid(), 2))
      same(await newsOf(seen), 2, 'after what is not its news')
      expectOk(await store.secrets.markSeen(accountId, id, 2))
      same(await newsOf(seen), 0)
      same(await newsOf(other), 1)
      await open(store, seen, noonMicros)
      same(await newsOf(seen), 1, 'after another open')
    },
  }),
  'secret-store/erased-secret-has-no-link': storageCase({
    rule: 'With a secret that is erased, its note, link and activity are gone; the notes of other secrets stay.',
    async check(store, make) {
      const { secret, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      await open(store, secret, noonMicros)
      expectOk(await store.secrets.erase(secret.accountId, secret.id))
      same(await linkRecordOf(store, secret.link.lookup), undefined)
      same(await recordWithNote(store, secret.link.lookup), undefined)
      same(await activityOf(store, secret), undefined)
      same(await noteBehind(store, other.secret.link.lookup), other.note)
    },
  }),
  'secret-store/erase-of-none-is-false': storageCase({
    rule: "erase answers Ok(false) for a draft, an unknown id and another account's secret, and erases nothing.",
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const theirs = await addLink(store, make)
      for (const id of [draft.id, make.uuid(), theirs.secret.id]) {
        same(expectOk(await store.secrets.erase(folder.accountId, id)), false)
      }
      for (const row of [draft, theirs.secret]) {
        same(await secretOf(store, row.accountId, row.id), row)
      }
    },
  }),
  'secret-store/activity-is-durable': durableCase({
    rule: 'Open times, and the erasure of a secret, are found after reopening.',
    async act(store, make) {
      const [opened, erased] = [await addLink(store, make), await addLink(store, make)]
      await open(store, opened.secret, noonMicros)
      expectOk(await store.secrets.erase(erased.secret.accountId, erased.secret.id))
      return (each) => [opened, erased].map(({ secret }) => activityOf(each, secret))
    },
  }),
})

/** Cases of `activity` and `erase`, and of the open times that `LinkStore.update` stores. */
export const secretActivityCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]

export const freshActivity = { opens: 0, hasNote: true, attempts: noAttempts, openedAtMicros: [], news: 0 }

async function open(
  { links }: StorageUnderTest,
  { link }: StoredShareableSecret,
  openedAtMicros: number,
): Promise<void> {
  expectOk(await links.update(link.lookup, undefined, () => ok({ openedAtMicros })), 'opening a link')
}

async function activityOf(
  { secrets }: StorageUnderTest,
  { accountId, id }: StoredShareableSecret,
): Promise<SecretActivity | undefined> {
  return expectOk(await secrets.activity(accountId, id))
}
