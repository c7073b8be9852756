import type { Draft, DraftWithNote } from '@sotto/core'
import { toWireOpenLimit } from '../secrets/open-limit.ts'
import { isoMicros } from '../shared/iso-micros.ts'

/** The document of `draft create` and `list`. `sealed`: it is an answer that only its owner can decrypt. */
export function toWireDraft(draft: Draft) {
  return {
    id: draft.id,
    label: draft.label,
    folder_id: draft.folderId,
    created_at: isoMicros(draft.createdAtMicros),
    open_limit: toWireOpenLimit(draft.openLimit),
    notify: draft.notify,
    has_password: draft.hasPassword,
    ...(draft.requestKey !== undefined && { sealed: true }),
  }
}

/** A draft in the download of an account. That of a sealed answer has no text, which nobody but its owner could read. */
export function toWireExportedDraft(draft: DraftWithNote) {
  const exported = toWireDraft(draft)
  return 'sealed' in exported ? exported : { ...exported, note: draft.note ?? null }
}
