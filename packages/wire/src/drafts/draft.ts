import type { Draft, DraftWithNote } from '@sotto/core'
import { toWireOpenLimit } from '../secrets/open-limit.ts'
import { isoMicros } from '../shared/iso-micros.ts'

/** The document of `draft create` and `list`. */
export function toWireDraft(draft: Draft) {
  return {
    id: draft.id,
    label: draft.label,
    folder_id: draft.folderId,
    created_at: isoMicros(draft.createdAtMicros),
    open_limit: toWireOpenLimit(draft.openLimit),
    notify: draft.notify,
    has_password: draft.hasPassword,
  }
}

/** A draft in the download of an account. */
export function toWireExportedDraft(draft: DraftWithNote) {
  return { ...toWireDraft(draft), note: draft.note ?? null }
}
