import { err, ok, ResultAsync } from 'neverthrow'
import type { Folder, FolderWithCounts } from './folder.ts'
import { folderNotFound } from '../secrets/errors.ts'
import { uuidToFind } from '../shared/uuid.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { eraseAll } from '../shared/erase-all.ts'
import { invalid, labelError } from '../shared/fields.ts'
import { newId } from '../shared/ids.ts'
import { aBoolean, aString } from '../shared/inputs.ts'
import { creationOf, listPageSize, pagesOf } from '../shared/pages.ts'
import { foundOr } from '../shared/found-or.ts'
import { account, accountAndId, pages } from '../shared/shapes.ts'
import { listCase, useCase } from '../shared/use-case.ts'
import { eraseListed } from './erase-listed.ts'

const label = {
  /** 1 to 255 code points, nothing that people do not see. */
  label: aString,
}

/**
 * Adds a folder to an account.
 * @errors `fields_invalid`, `account_not_found`
 */
export const createFolder = useCase({
  needs: ['folders.insert', 'textCipher.encryptText', 'keyRing.follow', 'clock.nowMicros', 'random.bytes'],
  takes: { ...account, ...label },
  async run({ folders, textCipher, keyRing, clock, random }, { accountId, label }) {
    const broken = labelError(label)
    if (broken !== undefined) return invalid('label', broken)
    const createdAtMicros = clock.nowMicros()
    const id = newId(random, createdAtMicros)
    const inserted = await underActiveKey(keyRing, () => {
      const encrypted = textCipher.encryptText({ column: 'folder.label', accountId, rowId: id }, label)
      return folders.insert({ id, accountId, label: encrypted, createdAtMicros })
    })
    return inserted.isErr() ? inserted : ok<Folder>({ id, label, createdAtMicros })
  },
})

/** The account's folders by creation and id, each with its counts at the time at which the list was begun. */
export const listFolders = listCase({
  needs: ['folders.page', 'textCipher.decryptText', 'clock.nowMicros'],
  takes: account,
  mayTake: pages,
  run({ folders, textCipher, clock }, { accountId, after: first, pageSize }) {
    const nowMicros = clock.nowMicros()
    return pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => folders.page(accountId, nowMicros, after, limit),
      cursorOf: creationOf,
      show: ({ id, label, createdAtMicros, draftsCount, secretsCount }) =>
        textCipher
          .decryptText({ column: 'folder.label', accountId, rowId: id }, label)
          .map((text): FolderWithCounts => ({ id, label: text, createdAtMicros, draftsCount, secretsCount })),
    })
  },
})

/**
 * One folder of the account, with its counts.
 * @errors `folder_not_found`, the same for an unknown, malformed or another account's id
 */
export const getFolder = useCase({
  needs: ['folders.find', 'textCipher.decryptText', 'clock.nowMicros'],
  takes: accountAndId,
  async run({ folders, textCipher, clock }, { accountId, id }) {
    const found = await folders.find(accountId, uuidToFind(id), clock.nowMicros())
    if (found.isErr()) return found
    if (found.value === undefined) return err(folderNotFound)
    const { accountId: _, label, ...folder } = found.value
    return textCipher
      .decryptText({ column: 'folder.label', accountId, rowId: folder.id }, label)
      .map((text): FolderWithCounts => ({ ...folder, label: text }))
  },
})

/**
 * Gives a folder another label.
 * @errors `fields_invalid`; `folder_not_found`, the same for an unknown, malformed or another account's id
 */
export const renameFolder = useCase({
  needs: ['folders.relabel', 'textCipher.encryptText', 'keyRing.follow'],
  takes: { ...accountAndId, ...label },
  async run({ folders, textCipher, keyRing }, { accountId, id, label }) {
    const broken = labelError(label)
    if (broken !== undefined) return invalid('label', broken)
    const rowId = uuidToFind(id)
    const renamed = await underActiveKey(keyRing, () => {
      const encrypted = textCipher.encryptText({ column: 'folder.label', accountId, rowId }, label)
      return folders.relabel(accountId, rowId, encrypted)
    })
    return renamed.andThen(foundOr(folderNotFound))
  },
})

/**
 * Erases a folder that holds no drafts, no secrets, and no requests that can be answered, or with them. They are erased part by part,
 * so that other writes do not wait: an error ends it early, and those that were erased before stay erased.
 * @errors `folder_not_empty`, also when something was added while the rest was erased; `folder_not_found`, the same for an
 * unknown, malformed or another account's id
 */
export const deleteFolder = useCase({
  needs: [
    'folders.erase',
    'requests.eraseIn',
    'secrets.page',
    'secrets.erase',
    'drafts.page',
    'drafts.erase',
    'clock.nowMicros',
  ],
  takes: accountAndId,
  mayTake: {
    /** Whether its requests, drafts and secrets are erased first; false by default. */
    withContents: aBoolean,
  },
  async run({ folders, requests, secrets, drafts, clock }, { accountId, id, withContents = false }) {
    const filter = { accountId, folderId: uuidToFind(id) }
    const nowMicros = clock.nowMicros()
    if (withContents) {
      // Requests first: an answer to one would be another draft.
      const emptied = await new ResultAsync(
        eraseAll((limit) => requests.eraseIn(accountId, filter.folderId, limit)),
      )
        .andThen(() =>
          eraseListed(
            (after) => drafts.page(filter, after, listPageSize),
            (draftId) => drafts.erase(accountId, draftId),
          ),
        )
        .andThen(() =>
          eraseListed(
            (after) => secrets.page({ ...filter, nowMicros }, after, listPageSize),
            (secretId) => secrets.erase(accountId, secretId),
          ),
        )
      if (emptied.isErr()) return emptied
    }
    return folders.erase(accountId, filter.folderId, nowMicros).andThen(foundOr(folderNotFound))
  },
})
