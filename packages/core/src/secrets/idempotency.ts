import { type IdempotencyKeyRule, keyDigests } from '../shared/idempotency-key.ts'
import type { FieldError } from '../shared/errors.ts'
import type { Digests } from '../shared/digests.ts'
import type { RequestDigests } from './idempotency-store.ts'
import { addedFiles } from '../files/shapes.ts'
import { aString, type InputOf } from '../shared/inputs.ts'
import { account } from '../shared/shapes.ts'
import { lifetime, newSecret } from './new-secret.ts'
import { digestedFiles } from '../files/file-rules.ts'

/** The longest idempotency key, in characters. */
export const idempotencyKeyMaxLength = 255

/** What a use-case takes that creates a secret for a request which may be sent again. */
export const repeatable = {
  takes: {
    ...account,
    ...newSecret.takes,
    /**
     * 1 to 255 visible ASCII characters, another one for each secret. It should be random, as a UUID is. Somebody who has the database and
     * the key ring can guess it from what is stored. With a guessed key they can also guess note and password.
     */
    idempotencyKey: aString,
  },
  mayTake: { ...newSecret.mayTake, ...addedFiles, ...lifetime },
} as const

/** A request to create a secret that may be sent again. */
export type RepeatableRequest = InputOf<typeof repeatable.takes, typeof repeatable.mayTake>

/** What is wrong with an idempotency key (draft-ietf-httpapi-idempotency-key-header leaves its form to the service). */
export function idempotencyKeyErrors(key: string): readonly FieldError<IdempotencyKeyRule>[] {
  const limit = idempotencyKeyMaxLength
  const isValid = key.length <= limit && /^[!-~]+$/.test(key)
  return isValid ? [] : [{ field: 'idempotencyKey', rule: 'not_visible_ascii', limit }]
}

/**
 * What is stored of a request, for each key of the ring. The digest is of the values, not of the bytes that carried them: the same request
 * is the same in another order or notation. It contains the idempotency key, which is stored nowhere: without it note and password cannot
 * be guessed from the digest, not even with the ring.
 */
export function requestDigests(
  digests: Pick<Digests, 'keyedDigests'>,
  { accountId, idempotencyKey, ...request }: RepeatableRequest,
): readonly RequestDigests[] {
  const { folderId, label, note, openLimit, notify = false, password, lifetimeSeconds } = request
  const values = [folderId.toLowerCase(), label, note, openLimit, notify, password, lifetimeSeconds]
  const text = JSON.stringify([accountId, idempotencyKey, ...values, ...digestedFiles(request)])
  const requests = digests.keyedDigests('idempotent-request', text)
  return keyDigests(digests, { accountId, idempotencyKey }).flatMap((key, at) => {
    const digest = requests[at]
    return digest === undefined ? [] : [{ key, request: digest }]
  })
}
