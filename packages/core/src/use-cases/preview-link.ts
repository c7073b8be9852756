import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { isLinkToken, linkTokenFrom, linkTokenRandomBytes } from '../entities/link-token.ts'
import type { LinkNotFound, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'
import { isOpenable } from '../rules/opening.ts'

/** What may be told of a link before it is opened. */
export interface LinkPreview {
  readonly passwordRequired: boolean
  readonly expiresAtMicros: number
}

type PreviewPorts = Pick<Ports, 'links' | 'digests' | 'clock'>

/** Stands in for a malformed token, so that it takes the way of an unknown one. */
const noToken = linkTokenFrom(new Uint8Array(linkTokenRandomBytes))

/** The key under which the link of a token is kept; a malformed token finds nothing. */
export function lookupOf(digests: Ports['digests'], token: string): Uint8Array {
  return digests.linkLookup(isLinkToken(token) ? token : noToken)
}

/**
 * Tells whether a link can be opened. Changes and consumes nothing, so previews, scanners and reloads are harmless.
 * @errors `link_not_found` for an unknown, malformed, expired, used-up, destroyed or disabled link alike
 */
export function previewLink(
  ports: PreviewPorts,
  { token }: { readonly token: string },
): ResultAsync<LinkPreview, LinkNotFound | StorageError> {
  return new ResultAsync(preview(ports, token))
}

async function preview(
  { links, digests, clock }: PreviewPorts,
  token: string,
): Promise<Result<LinkPreview, LinkNotFound | StorageError>> {
  const found = await links.find(lookupOf(digests, token))
  if (found.isErr()) return err(found.error)
  const record = found.value
  if (record === undefined || !isOpenable(record, clock.nowMicros())) return err({ code: 'link_not_found' })
  return ok({
    passwordRequired: record.secret.hasPassword,
    expiresAtMicros: record.secret.link.expiresAtMicros,
  })
}
