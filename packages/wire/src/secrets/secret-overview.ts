import type { SecretOverview } from '@sotto/core'
import { isoMicros } from '../shared/iso-micros.ts'
import { toWireOpenLimit } from './open-limit.ts'
import { toWireSecret } from './secret.ts'

/** The document of `secret list`: the API's secret with what happened to its link. `opens_left` is `null` without a limit. */
export function toWireSecretOverview(secret: SecretOverview, linkBaseUrl: string) {
  return {
    ...toWireSecret(secret, linkBaseUrl),
    open_limit: toWireOpenLimit(secret.openLimit),
    notify: secret.notify,
    has_password: secret.hasPassword,
    opens: secret.opens,
    opens_left: secret.opensLeft ?? null,
    opened_at: secret.openedAtMicros.map(isoMicros),
    locked_until: secret.lockedUntilMicros === undefined ? null : isoMicros(secret.lockedUntilMicros),
    disabled: secret.isDisabled,
    has_note: secret.hasNote,
  }
}

/** The document of `secret destroy`. */
export function toWireDestroyed(id: string) {
  return { id, destroyed: true }
}
