import type { Finding } from '@sotto/core'
import { invitationUrl } from './invitations/invitation.ts'
import { isoMicros } from './shared/iso-micros.ts'

// The documents that the command `sotto` prints with `--json`. Folders and shared secrets look as in the API. Scripts read these
// documents: fields may be added, but never renamed or removed.

/** The document of `init`: the absolute path of the data directory, or the address of the database in its place; and that of the key file. */
export function toWireInitialized({
  keysFile,
  ...place
}: ({ readonly dataDir: string } | { readonly database: string }) & { readonly keysFile: string }) {
  const where = 'dataDir' in place ? { data_dir: place.dataDir } : { database: place.database }
  return { ...where, keys_file: keysFile }
}

/** The document of `completion`. */
export function toWireCompletion({ script }: { readonly script: string }) {
  return { script }
}

/** The document of `doctor`, which prints a list of these. `ok` is `null` for what could not be checked, and for a warning. */
export function toWireFinding({ check, ok, text }: Finding) {
  return { check, ok: ok ?? null, text }
}

/** What `serve` says when it listens. */
export interface Announcement {
  /** Where the server listens, such as `http://127.0.0.1:3000`. */
  readonly address: string
  readonly baseUrl: string
  readonly linkBaseUrl: string
  /** What the first start made; `undefined` on any other start. */
  readonly firstStart:
    | {
        readonly email: string
        readonly folderId: string
        readonly folderLabel: string
        readonly token: string
        readonly tokenExpiresAtMicros: number
        /** The token of the one-time link with which the owner chooses a password. */
        readonly invitationToken: string
      }
    | undefined
}

/** The document of `serve`. */
export function toWireAnnouncement({ address, baseUrl, linkBaseUrl, firstStart }: Announcement) {
  return {
    listening: address,
    base_url: baseUrl,
    link_base_url: linkBaseUrl,
    first_start:
      firstStart === undefined
        ? null
        : {
            account: firstStart.email,
            folder_id: firstStart.folderId,
            folder_label: firstStart.folderLabel,
            token: firstStart.token,
            token_expires_at: isoMicros(firstStart.tokenExpiresAtMicros),
            welcome_url: invitationUrl(baseUrl, firstStart.invitationToken),
          },
  }
}

/** The document of `login`. `file` is the absolute path of what was written. */
export function toWireLogin({ url, file }: { readonly url: string; readonly file: string }) {
  return { url, file }
}
