import { nilUuid, type StoredSecretFile } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { err, errAsync, okAsync } from 'neverthrow'
import { brokenStorage, brokenStore, pause, slowly, type Broken } from './broken.ts'

const secretFiles = brokenStore('secretFiles')
const drafts = brokenStore('drafts')
const secrets = brokenStore('secrets')

/** Flaws of files' rows, sums and tickets. */
export const brokenSecretFiles: readonly Broken<StorageHarness>[] = [
  brokenStorage('has empty lists', ['secret-file-store/none-is-absent'], ({ secrets, drafts, links }) => ({
    secrets: {
      ...secrets,
      activity: (...asked) =>
        secrets.activity(...asked).map((found) => found && { ...found, files: found.files ?? [] }),
    },
    drafts: {
      ...drafts,
      find: (...asked) =>
        drafts.find(...asked).map((found) => found && { ...found, files: found.files ?? [] }),
    },
    links,
  })),
  inserting('loses the order of the files', ['secret-file-store/files-are-found-again'], (files) =>
    files.map((file) => ({ ...file, number: 11 - file.number })),
  ),
  secretFiles('lists the files of all accounts', ['secret-file-store/files-are-found-again'], (store) => ({
    page: ({ accountId: _, ...filter }, ...rest) => store.page(filter, ...rest),
  })),
  secretFiles(
    'lists the files of all secrets',
    ['secret-file-store/files-are-over-without-note-and-ticket'],
    (store) => ({ page: ({ secretId: _, ...filter }, ...rest) => store.page(filter, ...rest) }),
  ),
  secrets('counts no files in a list', ['secret-file-store/lists-count-the-files'], (store) => ({
    overviews: (...asked) =>
      store.overviews(...asked).map((found) => found.map(({ filesCount: _, ...each }) => each)),
  })),
  drafts('counts files of drafts that have none', ['secret-file-store/lists-count-the-files'], (store) => ({
    page: (...asked) =>
      store.page(...asked).map((found) => found.map((each) => ({ filesCount: 0, ...each }))),
  })),
  inserting(
    'shows all files before an open',
    ['secret-file-store/a-link-shows-what-its-owner-allows'],
    (files) => files.map((file) => ({ ...file, isShown: true })),
  ),
  secretFiles('has no bound', ['secret-file-store/the-sum-has-a-bound'], (store) => ({
    reserve: (content, limits) => store.reserve(content, { ...limits, bytesMax: Number.MAX_SAFE_INTEGER }),
  })),
  secretFiles('refuses the last byte', ['secret-file-store/the-sum-has-a-bound'], (store) => ({
    reserve: (content, limits) => store.reserve(content, { ...limits, bytesMax: limits.bytesMax - 1 }),
  })),
  secretFiles('checks a sum that shrinks', ['secret-file-store/the-sum-has-a-bound'], (store, data) => ({
    reserve(content, limits) {
      const { bytes: before = 0 } = data.counted.get(content.id) ?? {}
      const { bytesMax: maxBytes } = limits
      return content.bytes <= before && content.bytes > maxBytes
        ? errAsync({ code: 'files_full', maxBytes })
        : store.reserve(content, limits)
    },
  })),
  secretFiles('does not look at the disk', ['secret-file-store/the-disk-has-a-bound'], (store) => ({
    reserve: (content, { bytesMax }) => store.reserve(content, { bytesMax }),
  })),
  secretFiles(
    'overlooks other accounts on the disk',
    ['secret-file-store/the-disk-has-a-bound'],
    (store) => ({
      reserve: (content, limits) =>
        store.reserve(content, { ...limits, aheadMax: limits.aheadMax && limits.aheadMax + 600 }),
    }),
  ),
  secretFiles('takes an id twice', ['secret-file-store/an-id-under-way-is-taken'], (store, data) => ({
    reserve(content, limits) {
      data.files.delete(content.id)
      data.underWay.delete(content.id)
      return store.reserve(content, limits)
    },
  })),
  secretFiles(
    'forgets the first contents of a form',
    ['secret-file-store/contents-of-a-secret-arrive-together'],
    (store) => ({
      reserve: (content, limits) =>
        store.reserve({ ...content, secretId: content.id }, limits).map(() => undefined),
    }),
  ),
  secretFiles(
    'ends contents without a page',
    ['secret-file-store/contents-of-a-secret-arrive-together'],
    (store) => ({ endUnderWay: (nowMicros) => store.endUnderWay(nowMicros, undefined, 1_000) }),
  ),
  secretFiles(
    'makes files of contents that have ended',
    ['secret-file-store/what-has-ended-becomes-no-file'],
    (store, data) => ({
      endUnderWay: (nowMicros, ...page) =>
        store.endUnderWay(nowMicros, ...page).map((ids) => {
          for (const each of data.underWay.values())
            data.underWay.set(each.id, { ...each, untilMicros: Math.max(each.untilMicros, 1) })
          return ids
        }),
    }),
  ),
  brokenStorage(
    'forgets the files of an insert with a key',
    ['secret-file-store/a-file-counts-what-it-counted-under-way'],
    ({ idempotencyKeys }) => ({
      idempotencyKeys: {
        ...idempotencyKeys,
        insertSecret: (secret, note, claim) => idempotencyKeys.insertSecret(secret, note, claim),
      },
    }),
  ),
  drafts(
    'adds files and removes none',
    ['secret-file-store/a-draft-has-the-files-of-its-last-edit'],
    (store, data) => ({
      replace: (head, draft, note, options = {}) => {
        const before = [...data.files.values()].filter(({ secretId }) => secretId === draft.id)
        return store.replace(head, draft, note, options).map((done) => {
          for (const file of before)
            if (data.files.get(file.id)?.secretId === nilUuid) data.files.set(file.id, file)
          return done
        })
      },
    }),
  ),
  drafts(
    'forgets what a removed file counts',
    ['secret-file-store/a-draft-has-the-files-of-its-last-edit'],
    (store, data) => ({
      replace: (head, draft, note, options = {}) =>
        store.replace(head, draft, note, options).map((done) => {
          for (const { id, secretId } of data.files.values())
            if (secretId === nilUuid) data.counted.delete(id)
          return done
        }),
    }),
  ),
  drafts(
    'drops the files of what is shared',
    ['secret-file-store/a-shared-draft-keeps-its-files'],
    (store, data) => ({
      share: (draft, ...rest) =>
        store.share(draft, ...rest).map((isShared) => {
          for (const { id, secretId } of data.files.values()) if (secretId === draft.id) data.files.delete(id)
          return isShared
        }),
    }),
  ),
  secretFiles(
    'reads the sum, then adds to it',
    ['secret-file-store/the-sum-of-rivals-has-a-bound'],
    (store) => ({
      reserve: (content, limits) =>
        slowly(async () => {
          const sum = await store.bytesOf(content.accountId)
          await pause()
          if (sum.isOk() && sum.value + content.bytes > limits.bytesMax)
            return err({ code: 'files_full' as const, maxBytes: limits.bytesMax })
          return store.reserve(content, { ...limits, bytesMax: Number.MAX_SAFE_INTEGER })
        }),
    }),
  ),
  secretFiles(
    'finds tickets that have expired',
    ['secret-file-store/a-ticket-is-found-until-it-ends'],
    (store) => ({
      findTicket: (digest, nowMicros) => store.findTicket(digest, nowMicros - 1),
    }),
  ),
  secretFiles(
    'finds a ticket for everything',
    [
      'secret-file-store/a-refused-open-leaves-no-ticket',
      'secret-file-store/a-ticket-is-found-until-it-ends',
    ],
    (_store, data) => ({
      findTicket: (digest, nowMicros) => {
        const [row] = data.secrets.values()
        const ticket = { digest, expiresAtMicros: nowMicros + 1, accountId: '', secretId: '' }
        return okAsync(row && { ...ticket, sealed: row.secret.headCiphertext })
      },
    }),
  ),
  keepingTickets('keeps the tickets of what is erased', ['secret-file-store/a-ticket-ends-with-its-secret']),
  ...[
    { flaw: 'keeps all tickets of a secret', keep: 1_000 },
    { flaw: 'keeps the last ticket of a secret alone', keep: 0 },
  ].map(({ flaw, keep }) =>
    brokenStorage(flaw, ['secret-file-store/the-latest-tickets-stay'], ({ links }) => ({
      links: {
        ...links,
        update: (lookup, formId, decide) =>
          links.update(lookup, formId, (record) =>
            decide(record).map((change) => ({
              ...change,
              ...(change.ticket && { ticket: { ...change.ticket, othersMax: keep } }),
            })),
          ),
      },
    })),
  ),
  secretFiles('erases all tickets at once', ['secret-file-store/tickets-are-erased'], (store) => ({
    eraseTickets: (byMicros) => store.eraseTickets(byMicros, 1_000),
  })),
  secretFiles('erases tickets early', ['secret-file-store/tickets-are-erased'], (store) => ({
    eraseTickets: (byMicros, limit) => store.eraseTickets(byMicros + 1, limit),
  })),
  secrets('erases what has a ticket', ['secret-file-store/a-secret-with-a-ticket-stays'], (store, data) => ({
    eraseExpired(...asked) {
      data.tickets = []
      return store.eraseExpired(...asked)
    },
  })),
  secretFiles(
    'forgets that a ticket keeps files',
    ['secret-file-store/files-are-over-without-note-and-ticket'],
    (store) => ({
      page: ({ overAtMicros, ...filter }, ...rest) =>
        store.page({ ...filter, overAtMicros: overAtMicros && overAtMicros + 10 ** 12 }, ...rest),
    }),
  ),
  secretFiles(
    'takes the files of every draft for over',
    ['secret-file-store/files-are-over-without-note-and-ticket'],
    (store, data) => ({
      page: ({ overAtMicros, ...filter }, after, limit) =>
        store
          .page({ ...filter, overAtMicros }, after, limit)
          .andThen((over) =>
            store
              .page(filter, after, limit)
              .map((all) =>
                all.filter(
                  ({ id, secretId }) => over.some((each) => each.id === id) || isDraft(data, secretId),
                ),
              ),
          ),
    }),
  ),
  brokenStorage(
    'erases the rows of files with their account',
    ['secret-file-store/files-of-an-erased-account-are-over'],
    ({ accounts, data }) => ({
      accounts: {
        ...accounts,
        beginErasure(accountId) {
          for (const file of data.files.values()) if (file.accountId === accountId) data.files.delete(file.id)
          return accounts.beginErasure(accountId)
        },
      },
    }),
  ),
  secretFiles('lets the sum as it is', ['secret-file-store/erase-lowers-the-sum'], (store, data) => ({
    erase(id) {
      const counted = data.counted.get(id)
      return store.erase(id).map((isErased) => {
        if (counted !== undefined) data.counted.set(id, counted)
        return isErased
      })
    },
  })),
  secretFiles('erases files only', ['secret-file-store/erase-lowers-the-sum'], (store, data) => ({
    erase: (id) => (data.underWay.has(id) ? okAsync(false) : store.erase(id)),
  })),
]

function isDraft({ secrets: rows }: MemoryData, id: string): boolean {
  const row = rows.get(id)
  return row !== undefined && row.secret.link === undefined
}

/** A store that inserts other files with a secret than it was given. */
function inserting(
  flaw: string,
  breaks: readonly string[],
  change: (files: readonly StoredSecretFile[]) => readonly StoredSecretFile[],
): Broken<StorageHarness> {
  return secrets(flaw, breaks, (store) => ({
    insert: (secret, note, files) => store.insert(secret, note, files && change(files)),
  }))
}

/** A store that finds tickets by themselves. */
function keepingTickets(flaw: string, breaks: readonly string[]): Broken<StorageHarness> {
  return secretFiles(flaw, breaks, (_store, data) => ({
    findTicket: (digest, nowMicros) =>
      okAsync(
        data.tickets.find(
          (ticket) => Buffer.compare(ticket.digest, digest) === 0 && ticket.expiresAtMicros > nowMicros,
        ),
      ),
  }))
}
