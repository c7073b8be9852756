import { ResultAsync } from 'neverthrow'
import type { ShareableSecret } from '../entities/secret.ts'
import { freshLink, shownLink } from './fresh-link.ts'
import {
  keepSecret,
  type KeepSecretError,
  type KeepSecretInput,
  type KeepSecretPorts,
} from './keep-secret.ts'

/**
 * Keeps a secret that is shareable at once: its link exists and its 30 days run.
 * @errors `fields_invalid` with every field at fault; `cipher_busy` when too many passwords wait to be hashed
 */
export function createSecret(
  ports: KeepSecretPorts,
  input: KeepSecretInput,
): ResultAsync<ShareableSecret, KeepSecretError> {
  const nowMicros = ports.clock.nowMicros()
  const link = freshLink(ports, nowMicros)
  return new ResultAsync(keepSecret(ports, input, { nowMicros, link })).map((secret) => ({
    ...secret,
    ...shownLink(link),
  }))
}
