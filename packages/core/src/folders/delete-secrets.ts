import { type Uuid, uuidToFind } from '../shared/uuid.ts'
import { bounds, invalid } from '../shared/fields.ts'
import { aFunction, aListOfStrings } from '../shared/inputs.ts'
import { account, inFolder } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import { listPageSize } from '../shared/pages.ts'
import { eraseEach, eraseListed } from './erase-listed.ts'

// Clearing several at once. Each secret or draft is erased in a transaction of its own, as one alone would be.

/** How many there were of each. */
export interface Deleted {
  readonly secrets: number
  readonly drafts: number
}

/**
 * Erases secrets, as `destroySecret` does, and drafts. Unknown, malformed and other accounts' ids are ignored. An error ends it early: those
 * that were erased before stay erased.
 * @errors `fields_invalid` for too many ids: nothing is erased
 */
export const deleteSecrets = useCase({
  needs: ['secrets.erase', 'drafts.erase'],
  takes: {
    ...account,
    /** The ids of secrets. Together with those of drafts at most 100. */
    ids: aListOfStrings,
  },
  mayTake: {
    /** The ids of drafts. */
    drafts: aListOfStrings,
    /** Called with the id of each secret and draft once it is erased, also when an error ends the call early. */
    erased: aFunction<(id: Uuid, kind: 'secret' | 'draft') => void>,
  },
  async run({ secrets, drafts }, { accountId, ids, drafts: draftIds = [], erased }) {
    const limit = bounds.deletedMax
    if (ids.length + draftIds.length > limit) return invalid('ids', { rule: 'too_long', limit })
    const telling = (kind: 'secret' | 'draft', store: Pick<typeof secrets, 'erase'>) => (id: Uuid) =>
      store.erase(accountId, id).andTee((isErased) => {
        if (isErased) erased?.(id, kind)
      })
    const deletedSecrets = await eraseEach(ids.map(uuidToFind), telling('secret', secrets))
    if (deletedSecrets.isErr()) return deletedSecrets
    const deletedDrafts = await eraseEach(draftIds.map(uuidToFind), telling('draft', drafts))
    return deletedDrafts.map((count): Deleted => ({ secrets: deletedSecrets.value, drafts: count }))
  },
})

/** Erases all secrets that nobody can open any more. Ok with how many. An error ends it early: those that were erased before stay erased. */
export const removeFinished = useCase({
  needs: ['secrets.page', 'secrets.erase', 'clock.nowMicros'],
  takes: account,
  mayTake: inFolder,
  async run({ secrets, clock }, { accountId, folderId }) {
    const filter = {
      accountId,
      folderId: folderId === undefined ? undefined : uuidToFind(folderId),
      nowMicros: clock.nowMicros(),
      status: 'finished',
    } as const
    return eraseListed(
      (after) => secrets.page(filter, after, listPageSize),
      (id) => secrets.erase(accountId, id),
    )
  },
})
