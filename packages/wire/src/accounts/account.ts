import type { Account } from '@sotto/core'
import { isoMicros, timeOrNull } from '../shared/iso-micros.ts'

/**
 * The document of `account create`, `list`, `disable` and `release`. `external_id` is there only for an account that has one; its `email` is
 * `null`.
 */
export function toWireAccount({ id, email, externalId, createdAtMicros, disabledAtMicros, isHeld }: Account) {
  return {
    id,
    email: email ?? null,
    ...(externalId === undefined ? {} : { external_id: externalId }),
    created_at: isoMicros(createdAtMicros),
    disabled_at: timeOrNull(disabledAtMicros),
    held: isHeld,
  }
}

/** An account in its download. */
export function toWireExportedAccount(account: Account) {
  const { language = null, mails, notifies, displayName = null } = account
  return {
    ...toWireAccount(account),
    language,
    mails: { enabled: mails.enabled, name_labels: mails.nameLabels },
    notifies,
    display_name: displayName,
  }
}
