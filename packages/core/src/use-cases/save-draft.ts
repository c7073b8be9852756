import { ResultAsync } from 'neverthrow'
import type { Draft } from '../entities/secret.ts'
import {
  keepSecret,
  type KeepSecretError,
  type KeepSecretInput,
  type KeepSecretPorts,
} from './keep-secret.ts'

/**
 * Keeps a secret without a link: nobody can open it until it is shared.
 * @errors as `createSecret`
 */
export function saveDraft(
  ports: KeepSecretPorts,
  input: KeepSecretInput,
): ResultAsync<Draft, KeepSecretError> {
  return new ResultAsync(keepSecret(ports, input, { nowMicros: ports.clock.nowMicros(), link: undefined }))
}
