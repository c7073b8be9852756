import type { Passkey } from '@sotto/identity'
import { isoMicros, timeOrNull } from '../shared/iso-micros.ts'

/** A passkey in the download of an account, never with its key. */
export function toWirePasskey({ id, name, rpId, createdAtMicros, lastUsedAtMicros }: Passkey) {
  return {
    id,
    name,
    rp_id: rpId,
    created_at: isoMicros(createdAtMicros),
    last_used_at: timeOrNull(lastUsedAtMicros),
  }
}
