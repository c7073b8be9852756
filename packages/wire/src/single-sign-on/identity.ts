import type { Identity } from '@sotto/identity'
import { isoMicros, timeOrNull } from '../shared/iso-micros.ts'

/** The document of `account identities`. Never the subject. */
export function toWireIdentity({ id, issuer, origin, createdAtMicros, lastUsedAtMicros }: Identity) {
  return {
    id,
    issuer,
    origin,
    created_at: isoMicros(createdAtMicros),
    last_used_at: timeOrNull(lastUsedAtMicros),
  }
}

/** The document of `account disconnect`. */
export function toWireDisconnected(id: string) {
  return { id, disconnected: true }
}
