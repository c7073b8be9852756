import type { WireSavedFile } from '../files/file.ts'
import type { WireOpenedSecret } from './open-link.ts'
import type { WireSecret } from './secret.ts'

// The documents of the commands that speak to a service over HTTP have what the client read, with the API's names again.

/** The document of `share` and `destroy`: the secret as the API answers it. Times are texts. */
export function toWireShared(secret: {
  readonly id: string
  readonly label: string
  readonly expiresAt: string
  readonly folderId: string
  readonly createdAt: string
  readonly link: { readonly url: string; readonly createdAt: string }
  readonly sealed?: true
}): WireSecret {
  const { id, label, expiresAt, folderId, createdAt, link, sealed } = secret
  return {
    id,
    label,
    expires_at: expiresAt,
    folder_id: folderId,
    created_at: createdAt,
    link: { url: link.url, created_at: link.createdAt },
    ...(sealed && { sealed }),
  }
}

/** The document of `open`: as the link answers it, and where its files were saved. */
export function toWireOpened(secret: {
  readonly label: string
  readonly note: string
  readonly opensLeft: number | null
  readonly expiresAt: string
  readonly files: readonly WireSavedFile[]
  readonly sealed?: true
}): WireOpenedSecret & { readonly files?: readonly Partial<WireSavedFile>[] } {
  const { label, note, opensLeft, expiresAt, sealed } = secret
  const opened = {
    ...{ label, note, opens_left: opensLeft, expires_at: expiresAt },
    ...(sealed && { sealed }),
  }
  const files = secret.files.map(({ name, size, type, url, path }) => ({
    ...{ name, size, type, url },
    ...(path !== undefined && { path }),
  }))
  return files.length === 0 ? opened : { ...opened, files }
}
