import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { ShareableSecret } from './secret.ts'
import { type IdempotencyKeyRule, idempotencyMicros, type ClaimedKey } from '../shared/idempotency-key.ts'
import type { IdempotencyKeyReused, IdempotencyKeyUnderWay, SecretGone } from './errors.ts'
import type { DecryptError, FieldsInvalid, NewSecretRule, StorageError } from '../shared/errors.ts'
import { equalBytes } from '../shared/bytes.ts'
import type { IdempotencyStore, RequestDigests } from './idempotency-store.ts'
import type { SecretStore } from './secret-store.ts'
import type { SecretCipher } from './secret-cipher.ts'
import type { KeyRing } from '../shared/cipher.ts'
import type { Digests } from '../shared/digests.ts'
import { idempotencyKeyErrors, requestDigests, type RepeatableRequest } from './idempotency.ts'
import { checkWithFiles, type CheckNewSecretDeps } from './check-new-secret.ts'
import { insertSecret, type InsertSecretDeps, type InsertSecretError } from './insert-secret.ts'
import { makeLink, showLink, type MakeLinkDeps } from './links.ts'
import { showSecret } from './show-secret.ts'

export type CreateSecretOnceDeps = InsertSecretDeps &
  CheckNewSecretDeps &
  MakeLinkDeps & {
    readonly idempotencyKeys: Pick<IdempotencyStore, 'find' | 'insertSecret'>
    readonly secrets: Pick<SecretStore, 'find'>
    readonly secretCipher: Pick<SecretCipher, 'decryptHead'>
    readonly keyRing: Pick<KeyRing, 'activeKid'>
    readonly digests: Pick<Digests, 'keyedDigests'>
  }
export type CreateSecretOnceInput = RepeatableRequest
export type CreateSecretOnceError =
  | InsertSecretError
  | FieldsInvalid<NewSecretRule | IdempotencyKeyRule>
  | IdempotencyKeyReused
  | IdempotencyKeyUnderWay
  | SecretGone
  | DecryptError

/** The secret, and whether an earlier request created it. */
export interface CreatedOnce {
  readonly secret: ShareableSecret
  /** True when an earlier request with the same key created it. */
  readonly isReplayed: boolean
}

/**
 * Creates a secret as `createSecret` does, for a request that may arrive more than once. For 24 hours, requests of the account with the
 * same key and values get the secret that the first of them created, as it was shown then. A request that fails does not use the key up.
 * @errors `fields_invalid`, for the key too; `idempotency_key_reused` when the key came with other values; `idempotency_key_under_way`
 * when another request with the key succeeded at the same time, whose secret this request gets when it is sent again; `secret_gone` when
 * the secret was created and has been destroyed, or has expired, since; `hasher_busy`
 */
export function createSecretOnce(
  deps: CreateSecretOnceDeps,
  input: CreateSecretOnceInput,
): ResultAsync<CreatedOnce, CreateSecretOnceError> {
  return new ResultAsync(createOnce(deps, input))
}

async function createOnce(
  deps: CreateSecretOnceDeps,
  input: CreateSecretOnceInput,
): Promise<Result<CreatedOnce, CreateSecretOnceError>> {
  if (idempotencyKeyErrors(input.idempotencyKey).length > 0) return err(await allFieldErrors(deps, input))
  const kid = deps.keyRing.activeKid()
  const created = await findOrCreate(deps, input)
  if (created.isOk() || created.error.code !== 'idempotency_key_under_way') return created
  // The claim may be an old one, under a key that this process has read only since it looked for it.
  return deps.keyRing.activeKid() === kid ? created : findOrCreate(deps, input)
}

async function findOrCreate(
  deps: CreateSecretOnceDeps,
  input: CreateSecretOnceInput,
): Promise<Result<CreatedOnce, CreateSecretOnceError>> {
  const nowMicros = deps.clock.nowMicros()
  const digests = requestDigests(deps.digests, input)
  const keys = digests.map(({ key }) => key)
  const claimed = await deps.idempotencyKeys.find(input.accountId, keys, nowMicros - idempotencyMicros)
  if (claimed.isErr()) return err(claimed.error)
  if (claimed.value !== undefined) return replay(deps, input, claimed.value, { nowMicros, digests })
  return createFirst(deps, input, nowMicros)
}

async function allFieldErrors(
  deps: CreateSecretOnceDeps,
  input: CreateSecretOnceInput,
): Promise<FieldsInvalid<NewSecretRule | IdempotencyKeyRule> | StorageError> {
  const keyErrors = idempotencyKeyErrors(input.idempotencyKey)
  const checked = await checkWithFiles(deps, input)
  if (checked.isOk()) return { code: 'fields_invalid', errors: keyErrors }
  const { error } = checked
  return error.code === 'fields_invalid' ? { ...error, errors: [...error.errors, ...keyErrors] } : error
}

async function replay(
  { secrets, secretCipher }: CreateSecretOnceDeps,
  { accountId }: CreateSecretOnceInput,
  claimed: ClaimedKey,
  { nowMicros, digests }: { readonly nowMicros: number; readonly digests: readonly RequestDigests[] },
): Promise<Result<CreatedOnce, CreateSecretOnceError>> {
  if (!digests.some(({ request }) => equalBytes(request, claimed.request))) {
    return err({ code: 'idempotency_key_reused' })
  }
  const stored = await secrets.find(accountId, claimed.secretId, nowMicros)
  if (stored.isErr()) return err(stored.error)
  if (stored.value === undefined) return err({ code: 'secret_gone' })
  return showSecret(secretCipher, stored.value).map((secret) => ({ secret, isReplayed: true }))
}

async function createFirst(
  deps: CreateSecretOnceDeps,
  input: CreateSecretOnceInput,
  nowMicros: number,
): Promise<Result<CreatedOnce, CreateSecretOnceError>> {
  const checked = await checkWithFiles(deps, input)
  if (checked.isErr()) return err(checked.error)
  const link = makeLink(deps, nowMicros, input.lifetimeSeconds)
  const forgottenByMicros = nowMicros - idempotencyMicros
  const inserted = await insertSecret<IdempotencyKeyUnderWay>(deps, input, {
    nowMicros,
    link,
    async insert(secret, note, files) {
      // The digests are made under the keys that the secret was encrypted with: keys may have been read again since the claim was looked
      // for.
      const claim = { digests: requestDigests(deps.digests, input), forgottenByMicros }
      const isFirst = await deps.idempotencyKeys.insertSecret(secret, note, claim, files)
      if (isFirst.isErr()) return err(isFirst.error)
      return isFirst.value ? ok() : err({ code: 'idempotency_key_under_way' })
    },
  })
  if (inserted.isErr()) return err(inserted.error)
  return ok({ secret: { ...inserted.value, ...showLink(link) }, isReplayed: false })
}
