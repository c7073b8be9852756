import { secretLifetimeMicros, type StoredShareableSecret, type TimePosition } from '@sotto/core'
import { noonMicros } from '../samples.ts'
import { okOf, same, sameIds } from './expect.ts'
import { ascending, isPagedInOrder, tiedPositions } from './paging.ts'
import { noteBehind } from './secret-store.ts'
import { addFolder, addSecrets, storageCase, type StorageCase } from './storage-harness.ts'

/** Cases of `slice` and `eraseExpired`. */
export const secretListCases: readonly StorageCase[] = [
  storageCase({
    id: 'secret-store/slice-is-in-order',
    rule: "Secrets are listed by their link's creation and id, both descending, in slices that neither repeat nor miss one.",
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map(({ createdAtMicros, id }, at) =>
        make.secret(folder, createdAtMicros, { id, createdAtMicros: noonMicros - at }),
      )
      await addSecrets(store, make, rows)
      await isPagedInOrder(
        (after, limit) => store.secrets.slice(folder.accountId, noonMicros, after, limit),
        listPosition,
        rows.toSorted((one, other) => ascending(listPosition(other), listPosition(one))),
      )
    },
  }),
  storageCase({
    id: 'secret-store/slice-ends-at-the-expiry',
    rule: 'A secret is listed until the microsecond before its expiry, and not from its expiry on.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [early, late] = [make.secret(folder, noonMicros), make.secret(folder, noonMicros + 1)]
      await addSecrets(store, make, [early, late])
      const expiry = noonMicros + secretLifetimeMicros
      const at = (nowMicros: number) => okOf(store.secrets.slice(folder.accountId, nowMicros, undefined, 10))
      sameIds(await at(expiry - 1), [late.id, early.id], 'one microsecond before')
      sameIds(await at(expiry), [late.id], 'at the expiry of the first')
      sameIds(await at(expiry + 1), [], 'at the expiry of the second')
      sameIds(await at(expiry - 1), [late.id, early.id], 'asked for an earlier moment again')
    },
  }),
  storageCase({
    id: 'secret-store/slice-cuts-what-is-listed',
    rule: 'The limit of a slice counts secrets that are listed: drafts, expired ones and those of others take no place in it.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const theirs = await addFolder(store, make)
      const listed = [make.secret(folder, noonMicros + 10), make.secret(folder, noonMicros)]
      const others = [make.draft(folder), make.secret(theirs, noonMicros + 5), make.draft(folder)]
      await addSecrets(store, make, [
        ...others,
        ...listed,
        make.secret(folder, noonMicros - secretLifetimeMicros),
      ])
      const slice = await okOf(store.secrets.slice(folder.accountId, noonMicros, undefined, 2))
      sameIds(
        slice,
        listed.map(({ id }) => id),
      )
      const rest = await okOf(store.secrets.slice(folder.accountId, noonMicros, undefined, 10))
      sameIds(
        rest,
        listed.map(({ id }) => id),
        'without the limit',
      )
    },
  }),
  storageCase({
    id: 'secret-store/slice-shows-all-folders',
    rule: "The list holds the secrets of all the account's folders.",
    async check(store, make) {
      const first = await addFolder(store, make)
      const second = await addFolder(store, make, first.accountId)
      const rows = [make.secret(first, noonMicros + 1), make.secret(second, noonMicros)]
      await addSecrets(store, make, rows)
      same(await okOf(store.secrets.slice(first.accountId, noonMicros, undefined, 10)), rows)
    },
  }),
  storageCase({
    id: 'secret-store/slice-shows-own-secrets-only',
    rule: "An account's list holds none of another account's secrets.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      await addSecrets(store, make, [make.secret(theirs)])
      sameIds(await okOf(store.secrets.slice(mine.accountId, noonMicros, undefined, 10)), [])
      sameIds(await okOf(store.secrets.slice(make.uuid(), noonMicros, undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'secret-store/erase-takes-the-expired-of-all-accounts',
    rule: 'eraseExpired erases shareable secrets of any account that expired at the moment or before, and nothing else.',
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      const bound = noonMicros + secretLifetimeMicros
      const gone = [make.secret(mine, noonMicros), make.secret(theirs, noonMicros - 1), make.secret(mine, 0)]
      const kept = [
        make.secret(mine, noonMicros + 1),
        make.secret(theirs, noonMicros + 1),
        make.draft(mine, { createdAtMicros: 0 }),
      ]
      await addSecrets(store, make, [...kept, ...gone])
      same(await okOf(store.secrets.eraseExpired(bound, 10)), 3)
      for (const { accountId, id } of gone)
        same(await okOf(store.secrets.find(accountId, id)), undefined, 'an expired one')
      for (const row of kept)
        same(await okOf(store.secrets.find(row.accountId, row.id)), row, 'one that is to stay')
      same(await okOf(store.secrets.eraseExpired(bound, 10)), 0, 'the repeat')
    },
  }),
  storageCase({
    id: 'secret-store/erase-stops-at-the-limit',
    rule: 'eraseExpired erases at most so many; fewer means that none is left.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      await addSecrets(
        store,
        make,
        Array.from({ length: 5 }, (_, at) => make.secret(folder, at)),
      )
      const left = async () => (await okOf(store.secrets.slice(folder.accountId, 0, undefined, 10))).length
      for (const [erased, after] of [
        [2, 3],
        [2, 1],
        [1, 0],
        [0, 0],
      ]) {
        same(await okOf(store.secrets.eraseExpired(noonMicros, 2)), erased, 'how many were erased')
        same(await left(), after, 'how many are left')
      }
    },
  }),
  storageCase({
    id: 'secret-store/erase-takes-note-and-link',
    rule: 'With an expired secret its note is erased and its link leads nowhere, while the notes of others stay.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [expired, live] = [make.secret(folder, 0), make.secret(folder)]
      const note = make.note()
      await okOf(store.secrets.insert(live, note))
      await okOf(store.secrets.insert(expired, make.note()))
      await okOf(store.secrets.eraseExpired(noonMicros, 10))
      same(await okOf(store.links.find(expired.link.lookup)), undefined)
      same(await okOf(store.links.findWithNote(expired.link.lookup)), undefined)
      same(await noteBehind(store, live.link.lookup), note)
    },
  }),
]

function listPosition({ id, link }: StoredShareableSecret): TimePosition {
  return { id, createdAtMicros: link.createdAtMicros }
}
