import type { NewInvitation } from '@sotto/identity'
import { isoMicros } from '../shared/iso-micros.ts'

/**
 * The URL of a one-time link, with which somebody chooses a password.
 * @param baseUrl the bare origin of the owner's pages, without a slash at its end
 */
export function invitationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome/${token}`
}

/** The document of `account invite` and `account reset`. `url` is the one-time link. */
export function toWireInvitation({ account, kind, token, expiresAtMicros }: NewInvitation, baseUrl: string) {
  return {
    id: account.id,
    email: account.email ?? null,
    kind,
    url: invitationUrl(baseUrl, token),
    expires_at: isoMicros(expiresAtMicros),
  }
}

/** The document with `--mail`: whoever has the link can sign in, so it is in the mail alone. */
export function toWireMailedInvitation({ account, kind, expiresAtMicros }: Omit<NewInvitation, 'token'>) {
  return {
    id: account.id,
    email: account.email ?? null,
    kind,
    mailed: true,
    expires_at: isoMicros(expiresAtMicros),
  }
}
