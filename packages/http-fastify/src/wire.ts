import type { FolderWithCounts, NewSecret, ShareableSecret } from '@sotto/core'
import type { WireFolder } from './schemas/folder.ts'
import type { WireNewSecret } from './schemas/new-secret.ts'
import type { WireSecret } from './schemas/secret.ts'

/** The names that the fields of a new secret have on the wire. */
export const wireNames = {
  label: 'label',
  note: 'note',
  folderId: 'folder_id',
  openLimit: 'open_limit',
  notify: 'notify',
  password: 'password',
} as const satisfies Record<keyof NewSecret, keyof WireNewSecret>

/** A folder as the API shows it. */
export function toWireFolder(folder: FolderWithCounts): WireFolder {
  return {
    id: folder.id,
    label: folder.label,
    created_at: isoMicros(folder.createdAtMicros),
    drafts_count: folder.draftsCount,
    secrets_count: folder.secretsCount,
  }
}

/**
 * A secret as the API shows it, with its link.
 * @param linkBaseUrl the bare origin under which links are opened, without a slash at its end
 */
export function toWireSecret(secret: ShareableSecret, linkBaseUrl: string): WireSecret {
  const { createdAtMicros, link } = secret
  const createdAt = isoMicros(createdAtMicros)
  return {
    id: secret.id,
    label: secret.label,
    expires_at: isoMicros(secret.expiresAtMicros),
    folder_id: secret.folderId,
    created_at: createdAt,
    link: {
      url: linkUrl(linkBaseUrl, link.token),
      // Most are shared as they are made, and in a long list the time that this text takes is felt.
      created_at: link.createdAtMicros === createdAtMicros ? createdAt : isoMicros(link.createdAtMicros),
    },
  }
}

/** The fields of a new secret, those that are there, by the names of the core. */
export function fromWireNewSecret(body: WireNewSecret): NewSecret
export function fromWireNewSecret(body: Partial<WireNewSecret>): Partial<NewSecret>
export function fromWireNewSecret(body: Partial<WireNewSecret>): Partial<NewSecret> {
  const secret: Record<string, unknown> = {}
  for (const [name, wireName] of Object.entries(wireNames)) {
    if (Object.hasOwn(body, wireName)) secret[name] = body[wireName]
  }
  return secret
}

/** The address that is handed to a recipient. */
export function linkUrl(linkBaseUrl: string, linkToken: string): string {
  return `${linkBaseUrl}/${linkToken}`
}

/**
 * A moment in ISO 8601, UTC, with microseconds: `YYYY-MM-DDTHH:MM:SS.ffffffZ`.
 * @param micros whole microseconds since the Unix epoch
 */
export function isoMicros(micros: number): string {
  const millis = Math.floor(micros / 1000)
  const rest = String(micros - millis * 1000).padStart(3, '0')
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`
}
