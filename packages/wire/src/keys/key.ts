import type { DecryptError, KeyStatus, RotationProgress } from '@sotto/core'
import { isoMicros } from '../shared/iso-micros.ts'

/** The document of `keys status`. */
export function toWireKey({ kid, createdAtMicros, active, waiting, rows, lackedBy }: KeyStatus) {
  const lacked_by = lackedBy.map(({ name, seenAtMicros }) => ({ name, seen_at: isoMicros(seenAtMicros) }))
  return { kid, created_at: isoMicros(createdAtMicros), active, waiting, rows, lacked_by }
}

/** The document of `keys add`. */
export function toWireWaitingKey({ kid, added }: Pick<RotationProgress, 'kid' | 'added'>) {
  return { kid, added }
}

/** The document of `keys rotate`. */
export function toWireRotation({ kid, added, rewrapped, corrupted }: RotationProgress) {
  return { kid, added, rewrapped, damaged: corrupted.map(toWireCorruption) }
}

/** The document of `keys retire`. */
export function toWireRetiredKey(kid: number) {
  return { kid, retired: true }
}

function toWireCorruption(error: DecryptError) {
  return error.code === 'data_damaged'
    ? { code: error.code, what: error.what, id: error.id }
    : { code: error.code, kid: error.kid }
}
