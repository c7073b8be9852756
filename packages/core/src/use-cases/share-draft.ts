import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { ShareableSecret } from '../entities/secret.ts'
import { parseUuid, type Uuid } from '../entities/uuid.ts'
import type { DecryptError, DraftNotFound, KeyRetired, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { underActiveKey } from './active-key.ts'
import { freshLink, shownLink } from './fresh-link.ts'
import { showDraft } from './show-secret.ts'

type ShareDraftPorts = Pick<Ports, 'drafts' | 'secretCipher' | 'keyRing' | 'digests' | 'clock' | 'random'>
type ShareDraftError = DraftNotFound | DecryptError | KeyRetired | StorageError

/** A rotation of the keys can come between reading a draft and sharing it, but not time and again. */
const tries = 5

/**
 * Makes a draft shareable: makes its link and starts its 30 days. A draft with a password is shared without asking for it.
 * @errors `draft_not_found` for an unknown, malformed, shared or another account's id alike
 */
export function shareDraft(
  ports: ShareDraftPorts,
  input: { readonly accountId: Uuid; readonly id: string },
): ResultAsync<ShareableSecret, ShareDraftError> {
  return new ResultAsync(underActiveKey(ports.keyRing, () => shareUnlessChanged(ports, input)))
}

async function shareUnlessChanged(
  ports: ShareDraftPorts,
  { accountId, id }: { readonly accountId: Uuid; readonly id: string },
): Promise<Result<ShareableSecret, ShareDraftError>> {
  const draftId = parseUuid(id)
  if (draftId === undefined) return err({ code: 'draft_not_found' })
  for (let tried = 0; tried < tries; tried += 1) {
    const shared = await shareOnce(ports, accountId, draftId)
    if (shared.isErr()) return err(shared.error)
    if (shared.value !== undefined) return ok(shared.value)
  }
  return err({ code: 'storage_unavailable', reason: 'busy' })
}

/** Ok(undefined) when the draft was changed meanwhile. */
async function shareOnce(
  { drafts, secretCipher, digests, clock, random }: ShareDraftPorts,
  accountId: Uuid,
  id: Uuid,
): Promise<Result<ShareableSecret | undefined, ShareDraftError>> {
  const found = await drafts.find(accountId, id)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'draft_not_found' })
  const { secret, note } = found.value
  const draft = showDraft(secretCipher, secret)
  if (draft.isErr()) return err(draft.error)
  const link = freshLink({ random, digests }, clock.nowMicros())
  const keys = secretCipher.rebind(secret, note.wrap, { link: link.stored, linkToken: link.token })
  if (keys.isErr()) return err(keys.error)
  const { kid, head, wrap } = keys.value
  if (wrap === undefined) return err({ code: 'data_damaged', what: 'secret.wrap', id })
  const shared = await drafts.share({ accountId, id, expectedHead: secret.head }, link.stored, {
    kid,
    head,
    wrap,
  })
  return shared.map((done) => (done ? { ...draft.value, ...shownLink(link) } : undefined))
}
