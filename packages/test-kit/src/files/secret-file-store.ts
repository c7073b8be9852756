import { nilUuid, type StoredSecret, type StoredSecretFile } from '@sotto/core'
import { err } from 'neverthrow'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { addFiles, filesIn, openWithTicket, reserved, twoFiles, underWay } from './file-rows.ts'
import {
  besideCase,
  durableCase,
  kids,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { addDraft, addFolder, destroyNote, longAgoMicros, reportsNothing, under } from '../stores/rows.ts'

/** Cases without files. */
const aloneCases: readonly StorageCase[] = casesOf({
  'secret-file-store/none-is-absent': storageCase({
    rule: 'Without files, activity, draft and link have no list of them, and the sum of the account is 0.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const secret = make.secret(folder)
      expectOk(await store.secrets.insert(secret, make.note()))
      same('files' in (expectOk(await store.drafts.find(draft.accountId, draft.id)) ?? {}), false)
      same('files' in (expectOk(await store.secrets.activity(draft.accountId, secret.id)) ?? {}), false)
      same('shownFiles' in (expectOk(await store.links.find(secret.link.lookup, noonMicros)) ?? {}), false)
      same(expectOk(await store.secretFiles.bytesOf(draft.accountId)), 0)
    },
  }),
  'secret-file-store/the-sum-has-a-bound': storageCase({
    rule: "reserve answers files_full, and changes nothing, when the content would count more than before and the account's sum would be larger than allowed; up to the bound it is accepted. A content that counts less or the same is never too large.",
    async check(store, make) {
      const folder = await addFolder(store, make)
      const { accountId } = folder
      const sum = async () => expectOk(await store.secretFiles.bytesOf(accountId))
      const file = make.file(make.secret(folder))
      const reserve = async (of: typeof file, bytes: number, isNew: boolean, bytesMax = 2 ** 40) =>
        store.secretFiles.reserve(underWay(of, { bytes, isNew }), { bytesMax })
      const full = { code: 'files_full', maxBytes: 2 ** 40 }
      same(expectErr(await reserve(file, 2 ** 40 + 1, true)), full)
      same(await sum(), 0, 'after an error')
      expectErr(await reserve(file, 1, false), 'storage_unavailable')
      expectOk(await reserve(file, 2 ** 40 - 2, true))
      expectOk(await reserve(file, 2 ** 40 - 1, false))
      same(expectErr(await reserve(file, 2 ** 40 + 1, false)), full)
      same(await sum(), 2 ** 40 - 1)
      const other = make.file(make.secret(folder))
      same(expectErr(await reserve(other, 2, true)), full)
      expectOk(await reserve(other, 1, true))
      same(await sum(), 2 ** 40)
      expectOk(await reserve(file, 2 ** 40 - 1, false, 10), 'the same, while less is allowed')
      expectOk(await reserve(file, 100, false, 10), 'less')
      same(await sum(), 101)
      expectOk(await reserve(make.file(make.secret(await addFolder(store, make))), 2 ** 40, true))
      same(await sum(), 101, 'another account')
    },
  }),
  'secret-file-store/the-disk-has-a-bound': storageCase({
    rule: 'reserve answers disk_full, and changes nothing, when a content would count more than before, and more bytes than allowed would not be written yet, of all contents under way of all accounts. Without a bound any number may.',
    async check(store, make) {
      const [one, other] = [await addFolder(store, make), await addFolder(store, make)]
      const [first, second] = [make.file(make.secret(one)), make.file(make.secret(other))]
      const reserve = async (of: typeof first, columns: Parameters<typeof underWay>[1], aheadMax?: number) =>
        store.secretFiles.reserve(underWay(of, columns), { bytesMax: 10_000, aheadMax })
      expectErr(await reserve(first, { bytes: 600, aheadBytes: 600 }, 599), 'disk_full')
      expectErr(await reserve(first, { bytes: 600, aheadBytes: 600 }, -1), 'disk_full')
      expectOk(await reserve(first, { bytes: 600, aheadBytes: 600 }, 600))
      expectErr(await reserve(second, { bytes: 500, aheadBytes: 500 }, 1_099), 'disk_full')
      same(expectOk(await store.secretFiles.bytesOf(other.accountId)), 0)
      expectOk(await reserve(second, { bytes: 500, aheadBytes: 500 }, 1_100))
      expectOk(await reserve(second, { isNew: false, bytes: 500, aheadBytes: 500 }, 0), 'the same')
      expectOk(
        await reserve(first, { isNew: false, bytes: 650, aheadBytes: 50 }, 550),
        'what was ahead is written',
      )
      expectOk(await reserve(first, { isNew: false, bytes: 9_000, aheadBytes: 8_350 }), 'without a bound')
    },
  }),
  'secret-file-store/contents-of-a-secret-arrive-together': storageCase({
    rule: 'Contents under way count until the time that was given last for any of the same secret; endUnderWay ends those whose time is over, and gives all that have ended, page by page. They count until they are erased.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [secret, other] = [make.secret(folder), make.secret(folder)]
      const [first, second] = twoFiles(make, secret)
      const third = make.file(other)
      const until = (untilMicros: number) => ({ untilMicros })
      const limits = { bytesMax: 10_000 }
      expectOk(await store.secretFiles.reserve(underWay(first, until(100)), limits))
      expectOk(await store.secretFiles.reserve(underWay(third, until(150)), limits))
      expectOk(await store.secretFiles.reserve(underWay(second, until(200)), limits))
      const endedBy = async (micros: number, after?: string, limit = 10) =>
        expectOk(await store.secretFiles.endUnderWay(micros, after, limit))
      same(await endedBy(149), [], 'none is over')
      same(await endedBy(199), [third.id])
      const all = [first.id, second.id, third.id].toSorted()
      same(await endedBy(200), all)
      same(await endedBy(0, all[0], 1), [all[1]], 'a page of what has ended before')
      const sum = async () => expectOk(await store.secretFiles.bytesOf(folder.accountId))
      same(await sum(), 1_500, 'they count')
      for (const id of all) same(expectOk(await store.secretFiles.erase(id)), true)
      same([await sum(), await endedBy(200)], [0, []])
    },
  }),
  'secret-file-store/the-sum-of-rivals-has-a-bound': besideCase({
    rule: 'Of many contents that are reserved at the same time, here and in another process, as many succeed as the sum allows.',
    async check(store, beside, make) {
      const folder = await addFolder(store, make)
      const contents = Array.from({ length: 12 }, () => underWay(make.file(make.secret(folder))))
      const done = await Promise.all(
        contents.map((content, at) =>
          (at % 2 === 0 ? store : beside).secretFiles.reserve(content, { bytesMax: 2_500 }),
        ),
      )
      for (const each of done) if (each.isErr()) expectErr(each, 'files_full')
      same(done.filter((each) => each.isOk()).length, 5)
      same(expectOk(await store.secretFiles.bytesOf(folder.accountId)), 2_500)
    },
  }),
  'secret-file-store/a-refused-open-leaves-no-ticket': storageCase({
    rule: 'A decision that is an Err adds no ticket.',
    async check(store, make) {
      const secret = make.secret(await addFolder(store, make))
      expectOk(await store.secrets.insert(secret, make.note()))
      const { digest } = make.ticket()
      const refused = await store.links.update(secret.link.lookup, undefined, () =>
        err({ code: 'link_not_found' } as const),
      )
      expectErr(refused, 'link_not_found')
      same(expectOk(await store.secretFiles.findTicket(digest, noonMicros)), undefined)
    },
  }),
})

/** Cases of rows that are written with their secret. */
const writeCases: readonly StorageCase[] = together({
  'secret-file-store/files-are-found-again': storageCase({
    rule: 'The files of a secret come back exactly as they were inserted, by their numbers with its activity, by their ids in a page.',
    async check(store, make) {
      const { secret, files } = await addFiles(store, make)
      const { secret: other, files: others } = await addFiles(store, make)
      const activity = expectOk(await store.secrets.activity(secret.accountId, secret.id))
      same(activity?.files, files)
      same(await filesIn(store), [...files, ...others])
      same(await filesIn(store, { accountId: other.accountId }), others, 'of one account')
      same(expectOk(await store.secretFiles.page({}, files[0].id, 2)), [files[1], others[0]], 'a page')
    },
  }),
  'secret-file-store/lists-count-the-files': storageCase({
    rule: 'overviews, and page of drafts, give the number of the files of each secret or draft; no number where there are none.',
    async check(store, make) {
      const { secret, files } = await addFiles(store, make)
      const { accountId } = secret
      const folder = folderOf(make, secret)
      const draft = make.draft(folder)
      expectOk(await store.secrets.insert(draft, make.note(), await reserved(store, [make.file(draft)])))
      const without = [make.secret(folder), make.draft(folder)] as const
      for (const each of without) expectOk(await store.secrets.insert(each, make.note()))
      const filter = { accountId, nowMicros: noonMicros }
      const overviews = expectOk(await store.secrets.overviews(filter, undefined, 10))
      const countsOfSecrets = overviews.map(({ secret: { id }, ...more }) => [id, countIn(more)])
      same(Object.fromEntries(countsOfSecrets), { [secret.id]: files.length, [without[0].id]: 'absent' })
      const drafts = expectOk(await store.drafts.page({ accountId }, undefined, 10))
      const countsOfDrafts = drafts.map((each) => [each.id, countIn(each)])
      same(Object.fromEntries(countsOfDrafts), { [draft.id]: 1, [without[1].id]: 'absent' })
    },
  }),
  'secret-file-store/a-link-shows-what-its-owner-allows': storageCase({
    rule: 'find of a link gives the files that are shown before it is opened, by their numbers, and no others.',
    async check(store, make) {
      const { secret, files } = await addFiles(store, make)
      same(expectOk(await store.links.find(secret.link.lookup, noonMicros))?.shownFiles, [files[1]])
    },
  }),
  'secret-file-store/a-file-counts-what-it-counted-under-way': storageCase({
    rule: 'A content under way counts, and counts the same as a file; that of an insert with an idempotency key, too, and of one that is not the first it stays under way.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const { accountId } = folder
      const sum = async () => expectOk(await store.secretFiles.bytesOf(accountId))
      const secret = make.secret(folder)
      const files = await reserved(store, twoFiles(make, secret))
      same([await sum(), await filesIn(store)], [1_000, []], 'under way')
      expectOk(await store.secrets.insert(secret, make.note(), files))
      same([await sum(), await filesIn(store)], [1_000, files], 'as files')
      const digests = [{ key: make.tokenDigest(), request: make.tokenDigest() }]
      const claim = { digests, forgottenByMicros: longAgoMicros }
      for (const isFirst of [true, false]) {
        const other = make.secret(folder)
        const row = [other, make.note(), claim, await reserved(store, [make.file(other)])] as const
        same(expectOk(await store.idempotencyKeys.insertSecret(...row)), isFirst)
      }
      same([await sum(), (await filesIn(store)).length], [2_000, 3])
    },
  }),
  'secret-file-store/an-id-under-way-is-taken': storageCase({
    rule: 'A new content under the id of another one, or of a file, is storage_failed, and changes nothing.',
    async check(store, make) {
      const { files, secret } = await addFiles(store, make)
      const [other] = await reserved(store, [make.file(secret)])
      for (const file of [files[0], other])
        expectErr(await store.secretFiles.reserve(underWay(file), { bytesMax: 10_000 }), 'storage_failed')
      same(expectOk(await store.secretFiles.bytesOf(secret.accountId)), 1_500)
    },
  }),
  'secret-file-store/what-has-ended-becomes-no-file': storageCase({
    rule: 'A content under way that has ended, or never began, is not reserved again, and becomes no file, nor does one of another account: storage_unavailable, and nothing is written.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const secret = make.secret(folder)
      const [over] = await reserved(store, [make.file(secret)])
      expectOk(await store.secretFiles.endUnderWay(noonMicros + 2 * 3_600_000_000, undefined, 10))
      const [live] = await reserved(store, [make.file(secret)])
      const [theirs] = await reserved(store, [make.file(make.secret(await addFolder(store, make)))])
      const again = underWay(over, { isNew: false })
      expectErr(await store.secretFiles.reserve(again, { bytesMax: 10_000 }), 'storage_unavailable')
      const edited = { ...draft, headCiphertext: make.ciphertext(), link: undefined }
      for (const file of [over, make.file(secret), { ...theirs, accountId: secret.accountId }]) {
        const files = [live, { ...file, number: 2 }]
        expectErr(await store.secrets.insert(secret, make.note(), files), 'storage_unavailable')
        const replaced = await store.drafts.replace(draft.headCiphertext, edited, make.note(), { files })
        expectErr(replaced, 'storage_unavailable')
      }
      same(expectOk(await store.secrets.find(secret.accountId, secret.id, noonMicros)), undefined)
      same(
        expectOk(await store.drafts.find(draft.accountId, draft.id))?.secret.headCiphertext,
        draft.headCiphertext,
      )
      same(await filesIn(store), [])
      expectOk(await store.secrets.insert(secret, make.note(), [live]))
    },
  }),
  'secret-file-store/a-draft-has-the-files-of-its-last-edit': storageCase({
    rule: 'replace writes the files that the draft has from now on; without them all stay. One that is removed belongs to no secret, is over, and counts until it is erased.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      let draft = make.draft(folder)
      const { accountId } = draft
      const [first, second] = await reserved(store, twoFiles(make, draft))
      expectOk(await store.secrets.insert(draft, make.note(), [first, second]))
      const edit = async (files?: readonly StoredSecretFile[]) => {
        const edited = { ...draft, headCiphertext: make.ciphertext(), link: undefined }
        const options = files === undefined ? {} : { files }
        same(expectOk(await store.drafts.replace(draft.headCiphertext, edited, make.note(), options)), true)
        draft = edited
      }
      const filesNow = async () => expectOk(await store.drafts.find(accountId, draft.id))?.files
      const sum = async () => expectOk(await store.secretFiles.bytesOf(accountId))
      const over = async () => filesIn(store, { overAtMicros: 0, secretId: nilUuid, accountId })
      await edit()
      same(await filesNow(), [first, second], 'without a change')
      const kept = { ...second, number: 1, about: make.encrypted() }
      const [third] = await reserved(store, [make.file(draft, { number: 2 })])
      await edit([kept, third])
      same(await filesNow(), [kept, third], 'one added, one kept, one removed')
      same([await over(), await sum()], [[{ ...first, secretId: nilUuid }], 1_500], 'the one removed')
      same(expectOk(await store.secretFiles.erase(first.id)), true)
      same([await over(), await sum()], [[], 1_000], 'the one removed is erased')
      await edit([])
      same([await filesNow(), await sum()], [undefined, 1_000], 'all removed')
      for (const { id } of await over()) expectOk(await store.secretFiles.erase(id))
      same(await sum(), 0)
    },
  }),
  'secret-file-store/a-retired-key-is-refused': storageCase({
    rule: 'A file under a key that nothing may be written under is key_retired, whatever the key of its secret, and nothing is written.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const edited = { ...draft, headCiphertext: make.ciphertext(), link: undefined }
      const digests = [{ key: make.tokenDigest(), request: make.tokenDigest() }]
      for (const kid of [kids.retired, kids.unknown]) {
        const fileOf = (secret: StoredSecret) =>
          reserved(store, [make.file(secret, { about: under(make, kid) })])
        const secret = make.secret(folder)
        const row = [secret, make.note()] as const
        expectErr(await store.secrets.insert(...row, await fileOf(secret)), 'key_retired')
        const claim = { digests, forgottenByMicros: longAgoMicros }
        const claimed = await store.idempotencyKeys.insertSecret(...row, claim, await fileOf(secret))
        expectErr(claimed, 'key_retired')
        const options = { files: await fileOf(draft) }
        expectErr(
          await store.drafts.replace(draft.headCiphertext, edited, make.note(), options),
          'key_retired',
        )
        same(expectOk(await store.secrets.find(draft.accountId, secret.id, noonMicros)), undefined)
      }
      same(
        expectOk(await store.drafts.find(draft.accountId, draft.id))?.secret.headCiphertext,
        draft.headCiphertext,
      )
      same(await filesIn(store), [])
    },
  }),
  'secret-file-store/a-shared-draft-keeps-its-files': storageCase({
    rule: 'share leaves the files of a draft as they are.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const { accountId, id, ...columns } = make.draft(folder)
      const draft = { accountId, id, ...columns }
      const files = await reserved(store, twoFiles(make, draft))
      expectOk(await store.secrets.insert(draft, make.note(), files))
      const { link, kid } = make.secret(folder)
      const keys = { kid, headCiphertext: draft.headCiphertext, wrappedKey: make.ciphertext() }
      same(
        expectOk(
          await store.drafts.share(
            { accountId, id, expectedHeadCiphertext: draft.headCiphertext },
            link,
            keys,
          ),
        ),
        true,
      )
      same(expectOk(await store.secrets.activity(accountId, id))?.files, files)
    },
  }),
  'secret-file-store/written-durably': durableCase({
    rule: 'Files, contents under way, sums and tickets are there after reopening.',
    async act(store, make) {
      const { secret } = await addFiles(store, make)
      const { digest } = await openWithTicket(store, make, secret)
      const [content] = await reserved(store, [make.file(secret)])
      expectOk(await store.secretFiles.endUnderWay(noonMicros * 2, undefined, 1))
      return ({ secretFiles }) => [
        secretFiles.endUnderWay(noonMicros, undefined, 10).map((ids) => ids.includes(content.id)),
        secretFiles.page({}, undefined, 10),
        secretFiles.bytesOf(secret.accountId),
        secretFiles.findTicket(digest, noonMicros),
      ]
    },
  }),
})

/** Cases of tickets. */
const ticketCases: readonly StorageCase[] = together({
  'secret-file-store/a-ticket-is-found-until-it-ends': storageCase({
    rule: 'findTicket gives a ticket exactly as it was added, until the moment it expires, also when the note is destroyed.',
    async check(store, make) {
      const { secret } = await addFiles(store, make)
      const ticket = await openWithTicket(store, make, secret, { destroyNote: true })
      const other = await openWithTicket(store, make, secret)
      const { accountId, id: secretId } = secret
      const find = async (digest: Uint8Array, atMicros: number) =>
        expectOk(await store.secretFiles.findTicket(digest, atMicros))
      same(await find(ticket.digest, ticket.expiresAtMicros - 1), { ...ticket, accountId, secretId })
      same(await find(other.digest, noonMicros), { ...other, accountId, secretId })
      same(await find(ticket.digest, ticket.expiresAtMicros), undefined, 'when it expires')
      same(await find(make.tokenDigest(), noonMicros), undefined, 'an unknown one')
    },
  }),
  'secret-file-store/a-ticket-ends-with-its-secret': storageCase({
    rule: 'Once a secret is erased by its owner, or with its folder, or the erasure of its account has begun, its tickets are not found.',
    async check(store, make) {
      const isGone = async (erase: (secret: StoredSecret) => PromiseLike<unknown>) => {
        const { secret } = await addFiles(store, make)
        const { digest } = await openWithTicket(store, make, secret)
        await erase(secret)
        same(expectOk(await store.secretFiles.findTicket(digest, noonMicros)), undefined)
      }
      await isGone(async ({ accountId, id }) => expectOk(await store.secrets.erase(accountId, id)))
      await isGone(async ({ accountId }) => expectOk(await store.accounts.beginErasure(accountId)))
    },
  }),
  'secret-file-store/the-latest-tickets-stay': storageCase({
    rule: 'Beside a new ticket stay as many others of its secret as it allows: those that expire last. Those of other secrets stay.',
    async check(store, make) {
      const [one, other] = [await addFiles(store, make), await addFiles(store, make)]
      const tickets = [await openWithTicket(store, make, other.secret)]
      for (const [at, othersMax] of [
        [10, 1],
        [30, 1],
        [20, 1],
        [40, 2],
        [50, 1],
      ] as const) {
        const expiresAtMicros = noonMicros + at
        tickets.push(await openWithTicket(store, make, one.secret, { expiresAtMicros, othersMax }))
      }
      const found = tickets.map(async ({ digest }) =>
        expectOk(await store.secretFiles.findTicket(digest, noonMicros)),
      )
      const isThere = (await Promise.all(found)).map((ticket) => ticket !== undefined)
      same(isThere, [true, false, false, false, true, true])
    },
  }),
  'secret-file-store/tickets-are-erased': storageCase({
    rule: 'eraseTickets erases those that have expired, at most as many as the limit, and answers how many.',
    async check(store, make) {
      const { secret } = await addFiles(store, make)
      const until = noonMicros + 10
      for (const expiresAtMicros of [until - 1, until, until + 1])
        await openWithTicket(store, make, secret, { expiresAtMicros })
      const last = await openWithTicket(store, make, secret, { expiresAtMicros: until + 2 })
      const erased = async (limit: number) => expectOk(await store.secretFiles.eraseTickets(until, limit))
      same([await erased(1), await erased(10), await erased(10)], [1, 1, 0])
      same(expectOk(await store.secretFiles.findTicket(last.digest, until))?.digest, last.digest)
    },
  }),
  'secret-file-store/a-secret-with-a-ticket-stays': storageCase({
    rule: 'eraseExpired passes over a secret that has a ticket, until eraseTickets has erased it.',
    async check(store, make) {
      const { secret } = await addFiles(store, make)
      const { digest, expiresAtMicros } = await openWithTicket(store, make, secret)
      const { expiresAtMicros: over } = secret.link
      same(expectOk(await store.secrets.eraseExpired(over, 10, reportsNothing)), 0)
      same(expectOk(await store.secretFiles.findTicket(digest, noonMicros))?.digest, digest)
      same(expectOk(await store.secretFiles.eraseTickets(expiresAtMicros, 10)), 1)
      same(expectOk(await store.secrets.eraseExpired(over, 10, reportsNothing)), 1)
    },
  }),
})

/** Cases of files that nobody can read any more. */
const overCases: readonly StorageCase[] = together({
  'secret-file-store/files-are-over-without-note-and-ticket': storageCase({
    rule: 'page gives as over the files of a secret that is gone or has no note, once no ticket is left; never those of a draft.',
    async check(store, make) {
      const overAt = async (overAtMicros: number) => filesIn(store, { overAtMicros })
      const { draft } = await addDraft(store, make)
      const withFile = await reserved(store, [make.file(draft)])
      const edited = { ...draft, headCiphertext: make.ciphertext(), link: undefined }
      expectOk(await store.drafts.replace(draft.headCiphertext, edited, make.note(), { files: withFile }))
      const live = await addFiles(store, make)
      await openWithTicket(store, make, live.secret)
      const spent = await addFiles(store, make)
      const ticket = await openWithTicket(store, make, spent.secret, { destroyNote: true })
      const destroyed = await addFiles(store, make)
      await destroyNote(store, destroyed.secret)
      same(await overAt(noonMicros), destroyed.files, 'its note is destroyed')
      same(await overAt(ticket.expiresAtMicros), [...spent.files, ...destroyed.files], 'its ticket is over')
      const { accountId, id } = live.secret
      expectOk(await store.secrets.erase(accountId, id))
      same(await overAt(noonMicros), [...live.files, ...destroyed.files], 'its secret is erased')
      same(await filesIn(store, { overAtMicros: noonMicros, accountId }), live.files, 'of one account')
      const ofSecret = async (secretId: string) => filesIn(store, { overAtMicros: noonMicros, secretId })
      same(await ofSecret(id), live.files, 'of one secret')
      same(await ofSecret(draft.id), [], 'of a draft')
      same(await filesIn(store, { secretId: draft.id }), withFile, 'of a draft, over or not')
    },
  }),
  'secret-file-store/files-of-an-erased-account-are-over': storageCase({
    rule: 'The files of an account stay, and are over, once it is erased; its sum is 0.',
    async check(store, make) {
      const { secret, files } = await addFiles(store, make)
      expectOk(await store.accounts.beginErasure(secret.accountId))
      await eraseAll(store)
      same(await filesIn(store, { overAtMicros: noonMicros }), files)
      same(expectOk(await store.secretFiles.bytesOf(secret.accountId)), 0)
      for (const { id } of files) same(expectOk(await store.secretFiles.erase(id)), true)
      same(await filesIn(store), [])
    },
  }),
  'secret-file-store/erase-lowers-the-sum': storageCase({
    rule: "erase takes what a file or a content under way counted off the account's sum. Ok(false) for an unknown id.",
    async check(store, make) {
      const { secret, files } = await addFiles(store, make)
      const [content] = await reserved(store, [make.file(secret)], 70)
      await addFiles(store, make)
      const sum = async () => expectOk(await store.secretFiles.bytesOf(secret.accountId))
      same(expectOk(await store.secretFiles.erase(make.uuid())), false)
      same(await sum(), 1_070, 'of an unknown id')
      same(expectOk(await store.secretFiles.erase(files[0].id)), true)
      same(await sum(), 570)
      same(expectOk(await store.secretFiles.erase(files[0].id)), false, 'again')
      same(expectOk(await store.secretFiles.erase(content.id)), true)
      same(await sum(), 500, 'of a content under way')
      same(expectOk(await store.secretFiles.erase(content.id)), false, 'again')
      same(expectOk(await store.secretFiles.erase(files[1].id)), true)
      same(await sum(), 0, 'of the last file')
    },
  }),
})

function countIn(listed: { readonly filesCount?: number }) {
  return 'filesCount' in listed ? listed.filesCount : 'absent'
}

function folderOf(make: Samples, { accountId, folderId }: StoredSecret) {
  return make.folder(accountId, { id: folderId })
}

async function eraseAll(store: StorageUnderTest): Promise<void> {
  while (expectOk(await store.accounts.eraseBegun(10)) > 0);
}

/** The contract of a `SecretFileStore`, and of what other stores do with files. */
export const secretFileStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('secret-file-store', 'secretFiles', [
    'accounts',
    'folders',
    'secrets',
    'drafts',
    'links',
    'idempotencyKeys',
    'keys',
  ]),
  ...aloneCases,
  ...writeCases,
  ...ticketCases,
  ...overCases,
])
