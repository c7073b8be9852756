import type { AccountStore, FolderStore, Uuid } from '@sotto/core'
import { okAsync } from 'neverthrow'

/** How many folders are remembered at most, and for how long. */
const [foldersMax, keptMillis] = [1_000, 1_000]

interface Owned {
  readonly accounts: AccountStore
  readonly folders: FolderStore
}

/**
 * Stores whose `owns` remembers the owners of folders, because each create asks. It remembers only that a folder is owned, and until this
 * process erases any. One that another process erases is remembered for a moment, and its foreign key refuses what is added to it.
 * @returns also `forget`, which is called once the stores are closed
 */
export function rememberOwners(
  { accounts, folders }: Owned,
  nowMillis: () => number = () => performance.now(),
): Owned & { forget(): void } {
  let owners = new Map<Uuid, Uuid>()
  let untilMillis = 0
  const forget = (): void => void (owners = new Map())
  return {
    accounts: { ...accounts, eraseBegun: (limit) => accounts.eraseBegun(limit).andTee(forget) },
    folders: {
      ...folders,
      owns(accountId, folderId) {
        if (owners.size >= foldersMax || nowMillis() >= untilMillis) {
          forget()
          untilMillis = nowMillis() + keptMillis
        }
        if (owners.get(folderId) === accountId) return okAsync(true)
        // An answer that arrives once they are forgotten is not remembered.
        const known = owners
        return folders
          .owns(accountId, folderId)
          .andTee((isOwned) => isOwned && known.set(folderId, accountId))
      },
      erase: (...folder) => folders.erase(...folder).andTee(forget),
    },
    forget,
  }
}
