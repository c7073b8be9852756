import { err, ok } from 'neverthrow'
import { pagesOf } from '../shared/pages.ts'
import { account, accountAndId, inFolder, pages } from '../shared/shapes.ts'
import { listCase, useCase } from '../shared/use-case.ts'
import { uuidToFind } from '../shared/uuid.ts'
import { secretNotFound } from './errors.ts'
import { lookupOf } from './links.ts'
import { unlock } from './opening.ts'
import { positionOf, showSecret } from './show-secret.ts'

/**
 * One shareable secret of the account, without its note.
 * @errors `secret_not_found`, the same for an unknown, malformed, expired, draft's or another account's id
 */
export const getSecret = useCase({
  needs: ['secrets.find', 'secretCipher.decryptHead', 'clock.nowMicros'],
  takes: accountAndId,
  async run({ secrets, secretCipher, clock }, { accountId, id }) {
    const found = await secrets.find(accountId, uuidToFind(id), clock.nowMicros())
    if (found.isErr()) return err(found.error)
    return found.value === undefined ? err(secretNotFound) : showSecret(secretCipher, found.value)
  },
})

/**
 * The account's shareable secrets that had not expired when the list was begun, newest link first. Never drafts. Secrets whose note is
 * destroyed stay in the list until they expire. `after` is the position of the last secret that was read: when its link was made, and its id.
 */
export const listSecrets = listCase({
  needs: ['secrets.page', 'secretCipher.decryptHead', 'clock.nowMicros'],
  takes: account,
  mayTake: { ...inFolder, ...pages },
  run({ secrets, secretCipher, clock }, { accountId, folderId, after: first, pageSize }) {
    const filter = {
      accountId,
      folderId: folderId === undefined ? undefined : uuidToFind(folderId),
      nowMicros: clock.nowMicros(),
    }
    return pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => secrets.page(filter, after, limit),
      cursorOf: positionOf,
      show: (stored) => showSecret(secretCipher, stored),
    })
  },
})

/**
 * Ends the lock that wrong passwords have put on the link of a shareable secret: the five within ten minutes begin anew, the hundred in all
 * count on. A link that is disabled for good stays so, and one that is not locked stays as it is, its recent wrong passwords aside.
 * @returns whether it was locked
 * @errors `secret_not_found`, as in `getSecret`
 */
export const unlockSecret = useCase({
  needs: [...getSecret.needs, 'links.update', 'digests.linkLookup'],
  takes: accountAndId,
  async run(deps, input) {
    const { links, digests, clock } = deps
    const secret = await getSecret(deps, input)
    if (secret.isErr()) return secret
    const lookup = lookupOf(digests, secret.value.link.token)
    const unlocked = await links.update(lookup, undefined, (record) => unlock(record, clock.nowMicros()))
    if (unlocked.isOk()) return ok({ wasLocked: unlocked.value.wasLocked })
    return unlocked.error.code === 'link_not_found' ? err(secretNotFound) : err(unlocked.error)
  },
})
