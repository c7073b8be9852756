import type { NamedSession } from '@sotto/identity'
import { isoMicros } from '../shared/iso-micros.ts'

/** A session in the download of an account, never with its token. */
export function toWireSession({ id, name, createdAtMicros, lastUsedAtMicros }: NamedSession) {
  const times = { created_at: isoMicros(createdAtMicros), last_used_at: isoMicros(lastUsedAtMicros) }
  return { id, name: name ?? null, ...times }
}
