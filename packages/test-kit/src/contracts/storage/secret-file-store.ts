import type { StoredSecret } from '@sotto/core'
import { err } from 'neverthrow'
import { casesOf, contractOf } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import { under } from './account-rows.ts'
import { addFiles, filesIn, filesOf, openWithTicket, twoFiles } from './file-rows.ts'
import {
  besideCase,
  durableCase,
  kids,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from './harness.ts'
import { neededStoresCase } from './needed-stores.ts'
import { addDraft, addFolder, destroyNote, longAgoMicros, reportsNothing } from './rows.ts'

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
  'secret-file-store/a-refused-open-leaves-no-ticket': storageCase({
    rule: 'A decision that is an Err adds no ticket.',
    async check(store, make) {
      const { secret } = await addFiles(store, make)
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
      expectOk(await store.secrets.insert(draft, make.note(), filesOf([make.file(draft)])))
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
  'secret-file-store/the-sum-has-a-bound': storageCase({
    rule: "An insert whose files would make the account's sum larger than allowed answers files_full, and writes nothing; up to the bound it is accepted.",
    async check(store, make) {
      const folder = await addFolder(store, make)
      const { accountId } = folder
      const insert = (secret: StoredSecret, bytes: number) =>
        store.secrets.insert(
          secret,
          make.note(),
          filesOf(twoFiles(make, secret), { bytes, bytesMax: 2 ** 40 }),
        )
      const secret = make.secret(folder)
      expectErr(await insert(secret, 2 ** 40 + 1), 'files_full')
      same(expectOk(await store.secrets.find(accountId, secret.id, noonMicros)), undefined, 'the secret')
      same(await filesIn(store), [], 'the files')
      same(expectOk(await store.secretFiles.bytesOf(accountId)), 0, 'the sum')
      expectOk(await insert(secret, 2 ** 40 - 1))
      expectErr(await insert(make.secret(folder), 2), 'files_full')
      expectOk(await insert(make.secret(folder), 1))
      same(expectOk(await store.secretFiles.bytesOf(accountId)), 2 ** 40)
      const theirs = make.secret(await addFolder(store, make))
      expectOk(await insert(theirs, 2 ** 40), 'of another account')
    },
  }),
  'secret-file-store/the-sum-holds-with-an-idempotency-key': storageCase({
    rule: 'An insert with an idempotency key adds files and their sum, too; one that answers files_full claims nothing.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const digests = [{ key: make.tokenDigest(), request: make.tokenDigest() }]
      const claim = { digests, forgottenByMicros: longAgoMicros }
      const secret = make.secret(folder)
      const insert = (bytesMax: number) =>
        store.idempotencyKeys.insertSecret(
          secret,
          make.note(),
          claim,
          filesOf(twoFiles(make, secret), { bytesMax }),
        )
      expectErr(await insert(999), 'files_full')
      same(expectOk(await insert(1_000)), true)
      same((await filesIn(store)).length, 2)
      same(expectOk(await store.secretFiles.bytesOf(folder.accountId)), 1_000)
      same(expectOk(await insert(10_000)), false, 'the same key again')
      same(expectOk(await store.secretFiles.bytesOf(folder.accountId)), 1_000)
    },
  }),
  'secret-file-store/a-draft-has-the-files-of-its-last-edit': storageCase({
    rule: 'replace writes the files that the draft has from now on, and changes the sum; without them all stay. A sum that does not grow is never too large.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      let draft = make.draft(folder)
      const [first, second] = twoFiles(make, draft)
      expectOk(await store.secrets.insert(draft, make.note(), filesOf([first, second])))
      const edit = async (files?: ReturnType<typeof filesOf>) => {
        const edited = { ...draft, head: make.ciphertext(), link: undefined }
        const options = files === undefined ? {} : { files }
        const done = await store.drafts.replace(draft.head, edited, make.note(), options)
        if (done.isOk()) draft = edited
        return done
      }
      const filesNow = async () => expectOk(await store.drafts.find(draft.accountId, draft.id))?.files
      same(expectOk(await edit()), true)
      same(await filesNow(), [first, second], 'without a change')
      const kept = { ...second, number: 1, about: make.encrypted() }
      const third = make.file(draft, { number: 2 })
      same(expectOk(await edit(filesOf([kept, third], { bytes: 500 }))), true)
      same(await filesNow(), [kept, third], 'one added, one kept, one removed')
      same(expectOk(await store.secretFiles.bytesOf(draft.accountId)), 1_500)
      expectErr(await edit(filesOf([kept], { bytes: 1, bytesMax: 1_500 })), 'files_full')
      same(await filesNow(), [kept, third], 'after an error')
      same(expectOk(await edit(filesOf([kept, third], { bytes: 0, bytesMax: 999 }))), true, 'the same sum')
      same(expectOk(await edit(filesOf([kept], { bytes: -500, bytesMax: 999 }))), true)
      same(expectOk(await store.secretFiles.bytesOf(draft.accountId)), 1_000, 'more than is allowed by now')
      same(expectOk(await edit(filesOf([], { bytes: -1_000, bytesMax: 0 }))), true)
      same(await filesNow(), undefined, 'all removed')
      same(expectOk(await store.secretFiles.bytesOf(draft.accountId)), 0)
    },
  }),
  'secret-file-store/a-retired-key-is-refused': storageCase({
    rule: 'A file under a key that nothing may be written under is key_retired, whatever the key of its secret, and nothing is written.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const edited = { ...draft, head: make.ciphertext(), link: undefined }
      const digests = [{ key: make.tokenDigest(), request: make.tokenDigest() }]
      for (const kid of [kids.retired, kids.unknown]) {
        const fileOf = (secret: StoredSecret) => filesOf([make.file(secret, { about: under(make, kid) })])
        const secret = make.secret(folder)
        const row = [secret, make.note()] as const
        expectErr(await store.secrets.insert(...row, fileOf(secret)), 'key_retired')
        const claim = { digests, forgottenByMicros: longAgoMicros }
        const claimed = await store.idempotencyKeys.insertSecret(...row, claim, fileOf(secret))
        expectErr(claimed, 'key_retired')
        const options = { files: fileOf(draft) }
        expectErr(await store.drafts.replace(draft.head, edited, make.note(), options), 'key_retired')
        same(expectOk(await store.secrets.find(draft.accountId, secret.id, noonMicros)), undefined)
      }
      same(expectOk(await store.drafts.find(draft.accountId, draft.id))?.secret.head, draft.head)
      same([await filesIn(store), expectOk(await store.secretFiles.bytesOf(draft.accountId))], [[], 0])
    },
  }),
  'secret-file-store/a-shared-draft-keeps-its-files': storageCase({
    rule: 'share leaves the files of a draft as they are.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const { accountId, id, ...columns } = make.draft(folder)
      const draft = { accountId, id, ...columns }
      const files = twoFiles(make, draft)
      expectOk(await store.secrets.insert(draft, make.note(), filesOf(files)))
      const { link, kid } = make.secret(folder)
      const keys = { kid, head: draft.head, wrap: make.ciphertext() }
      same(expectOk(await store.drafts.share({ accountId, id, expectedHead: draft.head }, link, keys)), true)
      same(expectOk(await store.secrets.activity(accountId, id))?.files, files)
    },
  }),
  'secret-file-store/the-sum-of-rivals-has-a-bound': besideCase({
    rule: 'Of many inserts at the same time, here and in another process, as many succeed as the sum allows.',
    async check(store, beside, make) {
      const folder = await addFolder(store, make)
      const secrets = Array.from({ length: 12 }, () => make.secret(folder))
      const done = await Promise.all(
        secrets.map((secret, at) =>
          (at % 2 === 0 ? store : beside).secrets.insert(
            secret,
            make.note(),
            filesOf([make.file(secret)], { bytes: 100, bytesMax: 500 }),
          ),
        ),
      )
      for (const each of done) if (each.isErr()) expectErr(each, 'files_full')
      same(done.filter((each) => each.isOk()).length, 5)
      same(expectOk(await store.secretFiles.bytesOf(folder.accountId)), 500)
      same((await filesIn(beside)).length, 5)
    },
  }),
  'secret-file-store/written-durably': durableCase({
    rule: 'Files, sums and tickets are there after reopening.',
    async act(store, make) {
      const { secret } = await addFiles(store, make)
      const { digest } = await openWithTicket(store, make, secret)
      return ({ secretFiles }) => [
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
      const withFile = filesOf([make.file(draft)])
      const edited = { ...draft, head: make.ciphertext(), link: undefined }
      expectOk(await store.drafts.replace(draft.head, edited, make.note(), { files: withFile }))
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
      for (const { id } of files) same(expectOk(await store.secretFiles.erase(id, 500)), true)
      same(await filesIn(store), [])
    },
  }),
  'secret-file-store/erase-lowers-the-sum': storageCase({
    rule: "erase takes the bytes off the account's sum, which is never below 0, and 0 once it has no file. Ok(false) for an unknown id.",
    async check(store, make) {
      const { secret, files } = await addFiles(store, make)
      const { files: others } = await addFiles(store, make, folderOf(make, secret))
      const sum = async () => expectOk(await store.secretFiles.bytesOf(secret.accountId))
      same(expectOk(await store.secretFiles.erase(make.uuid(), 100)), false)
      same(await sum(), 2_000, 'of an unknown id')
      same(expectOk(await store.secretFiles.erase(files[0].id, 300)), true)
      same(await sum(), 1_700)
      same(expectOk(await store.secretFiles.erase(files[0].id, 300)), false, 'again')
      same(expectOk(await store.secretFiles.erase(files[1].id, undefined)), true)
      same(await sum(), 1_700, 'without bytes')
      same(expectOk(await store.secretFiles.erase(others[0].id, 5_000)), true)
      same(await sum(), 0, 'more than there are')
      const { secret: last } = await addFiles(store, make, folderOf(make, secret))
      same(await sum(), 1_000)
      for (const { id } of await filesIn(store, { accountId: last.accountId }))
        expectOk(await store.secretFiles.erase(id, 1))
      same(await sum(), 0, 'the last file')
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
