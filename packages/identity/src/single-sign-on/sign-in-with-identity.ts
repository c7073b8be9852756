import {
  accountNameText,
  type AccountExists,
  type KeyRetired,
  type StorageError,
  type StorageUnavailable,
  type Uuid,
} from '@sotto/core'
import {
  aString,
  ensureFirstFolder,
  ensureFirstFolderNeeds,
  newAccount,
  newId,
  writeName,
  writeNameNeeds,
} from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import { knownAddressesNeeds, rememberAddress } from '../sessions/known-addresses.ts'
import {
  eraseSurplusSessions,
  makeSession,
  makeSessionNeeds,
  surplusSessionsNeeds,
  type NewSession,
} from '../sessions/new-session.ts'
import { useCase, type DepsOf } from '../use-case.ts'
import type { IdentityProviderUnreachable, IdentityRefused, IdentityTaken, SsoRefused } from './errors.ts'
import type { ProvenIdentity } from './identity-provider.ts'
import {
  admitIdentity,
  admitIdentityNeeds,
  encryptIdentity,
  findIdentity,
  findIdentityNeeds,
  identityIndexes,
  proveIdentity,
  proveIdentityNeeds,
  providerSessionDigest,
  ssoCallback,
  withDetails,
} from './prove-identity.ts'
import { sessionProofMicros, verifiedEmail } from './single-sign-on.ts'

const needs = [
  ...proveIdentityNeeds,
  ...findIdentityNeeds,
  ...admitIdentityNeeds,
  ...writeNameNeeds,
  ...ensureFirstFolderNeeds,
  ...makeSessionNeeds,
  ...knownAddressesNeeds,
  ...surplusSessionsNeeds,
  'accounts.findByName',
  'identities.insertAccount',
  'identities.recordUse',
  'sessions.insert',
] as const

type Deps = DepsOf<(typeof needs)[number]>

/** The session of somebody who signed in with an identity. */
export interface SignedInWithIdentity extends NewSession {
  readonly identityId: Uuid
  /** Whether the account was made just now. */
  readonly isNewAccount: boolean
}
/**
 * Signs in whoever comes back from the identity provider, as `decideSignIn` says: with an identity that is known, or with one that the policy
 * allows and that gets an account with a first folder. When a known one is not allowed any more, all sessions of its account end, and its
 * access tokens stay. Once the session is stored, an error of what follows is not reported, as in `signIn`.
 * @errors `identity_refused`; `sso_refused` when what came back proves nothing; `identity_provider_unreachable`
 */
export const signInWithIdentity = useCase({
  needs,
  takes: {
    ...ssoCallback,
    /** The client's address, as in `signIn`. */
    address: aString,
  },
  async run(deps, { address, ...callback }) {
    const proven = await proveIdentity(deps, callback)
    if (proven.isErr()) return proven
    const admitted = await admit(deps, proven.value)
    if (admitted.isErr()) return admitted
    if (admitted.value !== 'raced') return startSession(deps, { ...admitted.value, address }, proven.value)
    // Another sign-in of the same person made the account just now.
    const again = await admit(deps, proven.value)
    if (again.isErr()) return again
    return again.value === 'raced'
      ? err<never, StorageUnavailable>({ code: 'storage_unavailable', reason: 'busy' })
      : startSession(deps, { ...again.value, address }, proven.value)
  },
})

interface Admitted {
  readonly accountId: Uuid
  readonly identityId: Uuid
  readonly isNewAccount: boolean
  /** Whether the account was made for the identity, and nobody has signed in yet. */
  readonly isFirst: boolean
}

type NotAdmitted = IdentityProviderUnreachable | SsoRefused | IdentityRefused | KeyRetired | StorageError

async function admit(deps: Deps, first: ProvenIdentity): Promise<Result<Admitted | 'raced', NotAdmitted>> {
  const found = await findIdentity(deps, first)
  if (found.isErr()) return err(found.error)
  const known = found.value
  const whole = await withDetails(deps, { proven: first, known })
  if (whole.isErr()) return err(whole.error)
  const proven = whole.value
  const taken = known === undefined ? await isAddressTaken(deps, proven) : ok(false)
  if (taken.isErr()) return err(taken.error)
  const decision = await admitIdentity(deps, { proven, known, isAddressTaken: taken.value })
  if (decision.isErr()) return err(decision.error)
  if (decision.value.kind === 'make_account') return makeAccount(deps, proven, decision.value.email)
  if (known === undefined) return ok('raced')
  const isFirst = known.origin === 'allowed' && known.lastUsedAtMicros === undefined
  return ok({ accountId: known.accountId, identityId: known.id, isNewAccount: false, isFirst })
}

async function isAddressTaken(deps: Deps, proven: ProvenIdentity): Promise<Result<boolean, StorageError>> {
  const email = verifiedEmail(proven)
  if (email === undefined) return ok(false)
  const text = accountNameText({ email, externalId: undefined })
  const found = await deps.accounts.findByName(deps.digests.accountIndexes(text))
  return found.map((account) => account !== undefined)
}

async function makeAccount(
  deps: Deps,
  proven: ProvenIdentity,
  email: string,
): Promise<Result<Admitted | 'raced', KeyRetired | StorageError>> {
  const { identities, digests, clock, random } = deps
  const createdAtMicros = clock.nowMicros()
  const [account, identityId] = [{ ...newAccount(deps), isHeld: true }, newId(random, createdAtMicros)]
  const { id: accountId } = account
  const inserted = await writeName<boolean, AccountExists | IdentityTaken | StorageError>(
    deps,
    accountId,
    { email, externalId: undefined },
    (name, nameIndexes) => {
      const columns = { id: identityId, accountId, origin: 'allowed', createdAtMicros } as const
      const identity = encryptIdentity(deps, proven, columns)
      const indexes = identityIndexes(digests, proven)
      return identities.insertAccount({ ...account, name }, nameIndexes, identity, indexes).map(() => true)
    },
  )
  if (inserted.isOk()) return ok({ accountId, identityId, isNewAccount: true, isFirst: true })
  const { error } = inserted
  if (error.code === 'account_exists' || error.code === 'identity_taken') return ok('raced')
  return err(error)
}

async function startSession(
  deps: Deps,
  { accountId, identityId, isNewAccount, isFirst, address }: Admitted & { readonly address: string },
  proven: ProvenIdentity,
): Promise<Result<SignedInWithIdentity, IdentityRefused | KeyRetired | StorageError>> {
  const { identities, sessions, digests, clock } = deps
  const folder = isFirst ? await ensureFirstFolder(deps, accountId) : ok()
  if (folder.isErr()) return err(folder.error.code === 'account_disabled' ? refused(accountId) : folder.error)
  const nowMicros = clock.nowMicros()
  const { token, stored, digest } = makeSession(deps, accountId, sessionProofMicros(proven, nowMicros))
  const inserted = await sessions.insert(stored, digest, identityId, providerSessionDigest(digests, proven))
  if (inserted.isErr()) return err(inserted.error)
  // The identity was disconnected, or the account disabled, after it was read.
  if (!inserted.value) return err(refused(accountId))
  // The owner is signed in: an error of the rest must not say that nothing happened.
  await identities.recordUse(identityId, nowMicros).unwrapOr(false)
  await rememberAddress(deps, { accountId, address }).unwrapOr(undefined)
  await eraseSurplusSessions(deps, stored)
  return ok({ ...stored, token, identityId, isNewAccount })
}

function refused(accountId: Uuid): IdentityRefused {
  return { code: 'identity_refused', reason: 'account_disabled', accountId }
}
