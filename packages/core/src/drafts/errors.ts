import type { LinkLocked } from '../secrets/errors.ts'

/** Unknown, already shared, or another account's draft. */
export interface DraftNotFound {
  readonly code: 'draft_not_found'
}
export const draftNotFound: DraftNotFound = { code: 'draft_not_found' }

/** The draft was changed since it was read. */
export interface DraftChanged {
  readonly code: 'draft_changed'
}
export const draftChanged: DraftChanged = { code: 'draft_changed' }

/** The draft is an answer that is encrypted for its owner: nothing of it can be shared, and neither title nor content changed. */
export interface DraftSealed {
  readonly code: 'draft_sealed'
}
export const draftSealed: DraftSealed = { code: 'draft_sealed' }

/** Too many wrong passwords for a draft, or too many simultaneous attempts: try again after `retryAfterSeconds`. */
export interface DraftLocked {
  readonly code: 'draft_locked'
  readonly reason: LinkLocked['reason']
  readonly retryAfterSeconds: number
}

/** So many wrong passwords were given for a draft that its note can be neither shown nor shared any more. */
export interface DraftDisabled {
  readonly code: 'draft_disabled'
}
export const draftDisabled: DraftDisabled = { code: 'draft_disabled' }
