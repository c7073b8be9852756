import { err, ok } from 'neverthrow'
import { addedFiles } from '../files/shapes.ts'
import { isSealed } from '../sealed/sealed-note.ts'
import { checkFields, checkNeeds } from '../secrets/check-fields.ts'
import { insertNeeds, insertSecret } from '../secrets/insert-secret.ts'
import { linkNeeds, makeLink, showLink } from '../secrets/links.ts'
import { lifetime, lifetimeError, newSecret } from '../secrets/new-secret.ts'
import type { Draft, ShareableSecret } from '../secrets/secret.ts'
import { plainSecretOf } from '../secrets/show-secret.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { corrupted, type StorageUnavailable } from '../shared/errors.ts'
import { invalid } from '../shared/fields.ts'
import { foundOr } from '../shared/found-or.ts'
import type { InputOf } from '../shared/inputs.ts'
import { creationOf, pagesOf } from '../shared/pages.ts'
import { account, accountAndId, inFolder, pages } from '../shared/shapes.ts'
import { listCase, useCase, type DepsOf } from '../shared/use-case.ts'
import { uuidToFind } from '../shared/uuid.ts'
import { isDraftDisabled } from './draft-attempts.ts'
import { draftDisabled, draftNotFound, draftSealed } from './errors.ts'
import { showListedDraft } from './show-draft.ts'

/**
 * Stores a secret without a link: nobody can open it until it is shared.
 * @errors `fields_invalid` with every invalid field; `hasher_busy`, as `createSecret`
 */
export const saveDraft = useCase({
  needs: [...checkNeeds, ...insertNeeds, 'secrets.insert'],
  takes: { ...account, ...newSecret.takes },
  mayTake: { ...newSecret.mayTake, ...addedFiles },
  async run(deps, input) {
    const checked = await checkFields(deps, { ...input, isDraft: true })
    if (checked.isErr()) return checked
    const nowMicros = deps.clock.nowMicros()
    const inserted = await insertSecret<never>(deps, input, {
      nowMicros,
      link: undefined,
      into: deps.secrets,
    })
    return inserted.map((draft): Draft => draft)
  },
})

/** The account's drafts by creation and id, without their notes. */
export const listDrafts = listCase({
  needs: ['drafts.page', 'secretCipher.decryptHead'],
  takes: account,
  mayTake: { ...inFolder, ...pages },
  run({ drafts, secretCipher }, { accountId, folderId, after: first, pageSize }) {
    const filter = { accountId, folderId: folderId === undefined ? undefined : uuidToFind(folderId) }
    return pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => drafts.page(filter, after, limit),
      cursorOf: creationOf,
      show: (stored) => showListedDraft(secretCipher, stored),
    })
  },
})

const shareNeeds = [
  ...linkNeeds,
  'drafts.find',
  'drafts.share',
  'secretCipher.decryptHead',
  'secretCipher.rebind',
  'keyRing.follow',
  'clock.nowMicros',
] as const

type ShareDeps = DepsOf<(typeof shareNeeds)[number]>
type ShareInput = InputOf<typeof accountAndId, typeof lifetime>

/** A key rotation can run between reading a draft and sharing it, but not again and again. */
const maxTries = 5

/**
 * Makes a draft shareable: makes its link and begins its lifetime. A draft with a password is shared without asking for it.
 * Wrong passwords that were given for the draft count for the link too.
 * @errors `fields_invalid`; `draft_not_found`, the same for an unknown, malformed, shared or another account's id; `draft_sealed` for an
 * answer that only its owner can decrypt; `draft_disabled` after so many wrong passwords that nobody could open the link
 */
export const shareDraft = useCase({
  needs: shareNeeds,
  takes: accountAndId,
  mayTake: lifetime,
  run: (deps, input) => underActiveKey(deps.keyRing, () => shareUnlessChanged(deps, input)),
})

async function shareUnlessChanged(deps: ShareDeps, { accountId, id, lifetimeSeconds }: ShareInput) {
  const broken = lifetimeSeconds === undefined ? undefined : lifetimeError(lifetimeSeconds)
  if (broken !== undefined) return invalid('lifetimeSeconds', broken)
  const draftId = uuidToFind(id)
  for (let tried = 0; tried < maxTries; tried += 1) {
    const shared = await shareOnce(deps, { accountId, id: draftId, lifetimeSeconds })
    if (shared.isErr()) return err(shared.error)
    if (shared.value !== undefined) return ok(shared.value)
  }
  return err<never, StorageUnavailable>({ code: 'storage_unavailable', reason: 'busy' })
}

/** Ok(undefined) when the draft was changed after it was read. */
async function shareOnce(
  { drafts, secretCipher, digests, clock, random }: ShareDeps,
  { accountId, id, lifetimeSeconds }: ShareInput,
) {
  const found = await drafts.find(accountId, id)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err(draftNotFound)
  const { secret, note, attempts } = found.value
  const nowMicros = clock.nowMicros()
  if (isDraftDisabled(attempts, nowMicros)) return err(draftDisabled)
  const head = secretCipher.decryptHead(secret)
  if (head.isErr()) return err(head.error)
  if (isSealed(head.value)) return err(draftSealed)
  const { label } = head.value
  const link = makeLink({ random, digests }, nowMicros, lifetimeSeconds)
  const rebound = secretCipher.rebind({
    from: secret,
    wrappedKey: note.wrappedKey,
    link: link.stored,
    head: { label, linkToken: link.token },
  })
  if (rebound.isErr()) return err(rebound.error)
  const { wrappedKey, ...keys } = rebound.value
  if (wrappedKey === undefined) return corrupted('secret.wrap', id)
  const draft = { accountId, id, expectedHeadCiphertext: secret.headCiphertext }
  const shared = await drafts.share(draft, link.stored, { ...keys, wrappedKey })
  return shared.map((done): ShareableSecret | undefined =>
    done ? { ...plainSecretOf(secret, label), ...showLink(link) } : undefined,
  )
}

/**
 * Erases a draft with its note.
 * @errors `draft_not_found`, the same for an unknown, malformed, shared or another account's id
 */
export const deleteDraft = useCase({
  needs: ['drafts.erase'],
  takes: accountAndId,
  async run({ drafts }, { accountId, id }) {
    return drafts.erase(accountId, uuidToFind(id)).andThen(foundOr(draftNotFound))
  },
})
