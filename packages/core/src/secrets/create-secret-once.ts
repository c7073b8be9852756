import { err, ok } from 'neverthrow'
import type { ShareableSecret } from './secret.ts'
import { type IdempotencyKeyRule, idempotencyMicros, type ClaimedKey } from '../shared/idempotency-key.ts'
import {
  idempotencyKeyReused,
  idempotencyKeyUnderWay,
  secretGone,
  type IdempotencyKeyUnderWay,
} from './errors.ts'
import type { FieldError, FieldsInvalid, NewSecretRule, StorageError } from '../shared/errors.ts'
import { equalBytes } from '../shared/bytes.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import type { RequestDigests } from './idempotency-store.ts'
import { idempotencyKeyErrors, repeatable, requestDigests, type RepeatableRequest } from './idempotency.ts'
import { checkFields, checkNeeds } from './check-fields.ts'
import { insertNeeds, insertSecret, type Insertion } from './insert-secret.ts'
import { linkNeeds, makeLink, showLink } from './links.ts'
import { showSecret } from './show-secret.ts'

/** The secret, and whether an earlier request created it. */
export interface CreatedOnce {
  readonly secret: ShareableSecret
  /** True when an earlier request with the same key created it. */
  readonly isReplayed: boolean
}

const needs = [
  ...checkNeeds,
  ...insertNeeds,
  ...linkNeeds,
  'idempotencyKeys.find',
  'idempotencyKeys.insertSecret',
  'secrets.find',
  'secretCipher.decryptHead',
  'keyRing.activeKid',
  'digests.keyedDigests',
] as const

type Deps = DepsOf<(typeof needs)[number]>

/**
 * Creates a secret as `createSecret` does, for a request that may arrive more than once. For 24 hours, requests of the account with the
 * same key and values get the secret that the first of them created, as it was shown then. A request that fails does not use the key up.
 * @errors `fields_invalid`, for the key too; `idempotency_key_reused` when the key came with other values; `idempotency_key_under_way`
 * when another request with the key succeeded at the same time, whose secret this request gets when it is sent again; `secret_gone` when
 * the secret was created and has been destroyed, or has expired, since; `hasher_busy`
 */
export const createSecretOnce = useCase({
  needs,
  takes: repeatable.takes,
  mayTake: repeatable.mayTake,
  async run(deps, input) {
    const keyErrors = idempotencyKeyErrors(input.idempotencyKey)
    if (keyErrors.length > 0) return err(await allFieldErrors(deps, input, keyErrors))
    const kid = deps.keyRing.activeKid()
    const created = await findOrCreate(deps, input)
    if (created.isOk() || created.error.code !== 'idempotency_key_under_way') return created
    // The claim may be an old one, under a key that this process has read only since it looked for it.
    return deps.keyRing.activeKid() === kid ? created : findOrCreate(deps, input)
  },
})

async function findOrCreate(deps: Deps, input: RepeatableRequest) {
  const nowMicros = deps.clock.nowMicros()
  const digests = requestDigests(deps.digests, input)
  const keys = digests.map(({ key }) => key)
  const claimed = await deps.idempotencyKeys.find(input.accountId, keys, nowMicros - idempotencyMicros)
  if (claimed.isErr()) return err(claimed.error)
  if (claimed.value !== undefined) return replay(deps, input, claimed.value, { nowMicros, digests })
  return createFirst(deps, input, nowMicros)
}

async function allFieldErrors(
  deps: Deps,
  input: RepeatableRequest,
  keyErrors: readonly FieldError<IdempotencyKeyRule>[],
): Promise<FieldsInvalid<NewSecretRule | IdempotencyKeyRule> | StorageError> {
  const checked = await checkFields(deps, input)
  if (checked.isOk()) return { code: 'fields_invalid', errors: keyErrors }
  const { error } = checked
  return error.code === 'fields_invalid' ? { ...error, errors: [...error.errors, ...keyErrors] } : error
}

async function replay(
  { secrets, secretCipher }: Deps,
  { accountId }: RepeatableRequest,
  claimed: ClaimedKey,
  { nowMicros, digests }: { readonly nowMicros: number; readonly digests: readonly RequestDigests[] },
) {
  if (!digests.some(({ request }) => equalBytes(request, claimed.request))) return err(idempotencyKeyReused)
  const stored = await secrets.find(accountId, claimed.secretId, nowMicros)
  if (stored.isErr()) return err(stored.error)
  if (stored.value === undefined) return err(secretGone)
  return showSecret(secretCipher, stored.value).map((secret): CreatedOnce => ({ secret, isReplayed: true }))
}

async function createFirst(deps: Deps, input: RepeatableRequest, nowMicros: number) {
  const checked = await checkFields(deps, input)
  if (checked.isErr()) return err(checked.error)
  const link = makeLink(deps, nowMicros, input.lifetimeSeconds)
  const forgottenByMicros = nowMicros - idempotencyMicros
  const into: Insertion<IdempotencyKeyUnderWay>['into'] = {
    async insert(secret, note, files) {
      // The digests are made under the keys that the secret was encrypted with: keys may have been read again since the claim was looked
      // for.
      const claim = { digests: requestDigests(deps.digests, input), forgottenByMicros }
      const isFirst = await deps.idempotencyKeys.insertSecret(secret, note, claim, files)
      if (isFirst.isErr()) return err(isFirst.error)
      return isFirst.value ? ok() : err(idempotencyKeyUnderWay)
    },
  }
  const inserted = await insertSecret(deps, input, { nowMicros, link, into })
  return inserted.map((secret): CreatedOnce => ({
    secret: { ...secret, ...showLink(link) },
    isReplayed: false,
  }))
}
