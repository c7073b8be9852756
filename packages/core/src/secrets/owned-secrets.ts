import { err, ok, okAsync } from 'neverthrow'
import { showFiles } from '../files/file-rows.ts'
import type { OwnedFile } from '../files/secret-file.ts'
import { aNumber } from '../shared/inputs.ts'
import { pagesOf } from '../shared/pages.ts'
import { account, accountAndId, inFolder, pages } from '../shared/shapes.ts'
import { listCase, useCase } from '../shared/use-case.ts'
import { uuidToFind } from '../shared/uuid.ts'
import { secretNotFound } from './errors.ts'
import { overviewOf, showOverview, type SecretOverview } from './secret-overviews.ts'
import { aStatus } from './secret-status.ts'
import type { StatusCounts } from './secret-store.ts'
import { getSecret } from './secrets.ts'
import { positionOf } from './show-secret.ts'

// What an owner sees of secrets besides the API: what happened to their links, and what is new.

/** A secret with what happened to its link, and its files by their numbers. */
export interface ViewedSecret extends SecretOverview {
  readonly files: readonly OwnedFile[]
  /** Whether recipients see the files before they open the link. */
  readonly showsFiles: boolean
}

/**
 * One shareable secret of the account with its files and what happened to its link so far, without its note.
 * @errors `secret_not_found`, as in `getSecret`
 */
export const viewSecret = useCase({
  needs: [...getSecret.needs, 'secrets.activity', 'textCipher.decryptText'],
  takes: accountAndId,
  async run(deps, input) {
    const secret = await getSecret(deps, input)
    if (secret.isErr()) return secret
    const activity = await deps.secrets.activity(input.accountId, secret.value.id)
    if (activity.isErr()) return activity
    if (activity.value === undefined) return err(secretNotFound)
    const rows = activity.value.files ?? []
    const files = showFiles(deps, rows)
    if (files.isErr()) return files
    const overview = overviewOf(secret.value, activity.value, deps.clock.nowMicros(), rows.length)
    const showsFiles = rows.some(({ isShown }) => isShown)
    return ok<ViewedSecret>({ ...overview, files: files.value, showsFiles })
  },
})

/** Lists secrets as `listSecrets` does, each with what happened to its link so far. */
export const browseSecrets = listCase({
  needs: ['secrets.overviews', 'secretCipher.decryptHead', 'clock.nowMicros'],
  takes: account,
  mayTake: {
    ...inFolder,
    ...pages,
    /** Only secrets of this status. */
    status: aStatus,
  },
  run({ secrets, secretCipher, clock }, { accountId, folderId, status, after: first, pageSize }) {
    const nowMicros = clock.nowMicros()
    const folder = folderId === undefined ? undefined : uuidToFind(folderId)
    const filter = { accountId, folderId: folder, nowMicros, status }
    return pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => secrets.overviews(filter, after, limit),
      cursorOf: ({ secret }) => positionOf(secret),
      show: (stored) => showOverview(secretCipher, stored, nowMicros),
    })
  },
})

/** How many secrets there are of each status, how many in all, how many drafts, and how much news of the secrets. */
export interface SecretCounts extends StatusCounts {
  /** Secrets of every status, drafts not among them. */
  readonly all: number
}

/** Counts the account's secrets that have not expired, by their status, with their news, and its drafts. */
export const countSecrets = useCase({
  needs: ['secrets.counts', 'clock.nowMicros'],
  takes: account,
  mayTake: inFolder,
  async run({ secrets, clock }, { accountId, folderId }) {
    const folder = folderId === undefined ? undefined : uuidToFind(folderId)
    const counted = await secrets.counts({ accountId, folderId: folder, nowMicros: clock.nowMicros() })
    return counted.map((counts): SecretCounts => ({
      ...counts,
      all: counts.waiting + counts.opened + counts.finished,
    }))
  },
})

/**
 * Notes that the owner has looked at a secret or draft: it has no news any more, unless there is more by now. Without news nothing is
 * written. Unknown, malformed and other accounts' ids are ignored.
 */
export const markSeen = useCase({
  needs: ['secrets.markSeen'],
  takes: {
    ...accountAndId,
    /** The `news` that the owner has seen; 1 for an answer that is new. */
    news: aNumber,
  },
  async run({ secrets }, { accountId, id, news }) {
    return news === 0 ? okAsync() : secrets.markSeen(accountId, uuidToFind(id), news)
  },
})

/**
 * Erases a shareable secret with its note: its link is dead, and it is gone from lists and counts. An open that was claimed before is
 * delivered, no later one.
 * @returns the secret as it was
 * @errors `secret_not_found`, as in `getSecret`; `data_damaged` and `key_unknown` when it cannot be read: nothing is erased then
 */
export const destroySecret = useCase({
  needs: [...getSecret.needs, 'secrets.erase'],
  takes: accountAndId,
  async run(deps, input) {
    const secret = await getSecret(deps, input)
    if (secret.isErr()) return secret
    const erased = await deps.secrets.erase(input.accountId, secret.value.id)
    if (erased.isErr()) return erased
    return erased.value ? secret : err(secretNotFound)
  },
})
