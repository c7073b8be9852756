import { labelError, type StorageError, type Uuid } from '@sotto/core'
import {
  aString,
  account,
  anObject,
  base64From,
  getAccount,
  invalid,
  newId,
  underActiveKey,
  urlAlphabet,
} from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import { useCase, type DepsOf } from '../use-case.ts'
import type { PasskeyRefused } from './errors.ts'
import {
  isChallengeOf,
  makeChallenge,
  makeChallengeNeeds,
  useChallenge,
  useChallengeNeeds,
} from './passkey-challenges.ts'
import { onPage, registrationFault, type PasskeyFault, type RelyingParty } from './passkey-rules.ts'
import type { AttestedPasskey, SentPasskey } from './passkey-verifier.ts'
import { passkeysMax, type Passkey } from './passkey.ts'
import { userHandleOf } from './verify-passkey.ts'

/** What a browser needs to make a passkey. */
export interface PasskeyBeginning {
  /** The challenge in base64url. This session can use it once, within 10 minutes. */
  readonly challenge: string
  /** What authenticators find the account by, in base64url. */
  readonly userHandle: string
  /** The name that authenticators show to people; empty for an account without an email address. */
  readonly userName: string
  /** The ids of the passkeys that there are, in base64url: their authenticators make no second one. */
  readonly known: readonly string[]
}

/**
 * Begins to add a passkey to an account.
 * @errors `account_not_found`
 */
export const beginPasskey = useCase({
  needs: [...makeChallengeNeeds, 'passkeys.list', 'accounts.find', 'textCipher.decryptText'],
  takes: {
    ...account,
    /** The session that asks. */
    sessionId: aString,
  },
  async run(deps, { accountId, sessionId }) {
    const found = await getAccount(deps, { accountId })
    if (found.isErr()) return found
    const known = await deps.passkeys.list(accountId)
    return known.map((all): PasskeyBeginning => ({
      challenge: makeChallenge(deps, `add/${sessionId}`),
      userHandle: userHandleOf(accountId),
      userName: found.value.email ?? '',
      known: all.map(({ credentialId }) => base64From(credentialId, urlAlphabet)),
    }))
  },
})

const attestedNeeds = [...useChallengeNeeds, 'passkeyVerifier.read'] as const

/**
 * Adds a passkey to an account. The caller makes sure that its owner proved just now who they are; see `ensureReauthentication`. The passkey's
 * key is what the browser says it is: no attestation is asked for.
 * @errors `fields_invalid` for the field `name`; `passkey_refused`, `passkey_taken`; `passkey_limit_reached` when the account has `passkeysMax`;
 * `account_not_found`
 */
export const addPasskey = useCase({
  needs: [...attestedNeeds, 'passkeys.insert', 'textCipher.encryptText', 'keyRing.follow', 'random.bytes'],
  takes: {
    ...account,
    /** The session that asks, and that `beginPasskey` was called for. */
    sessionId: aString,
    /** 1 to 255 code points, nothing that people do not see. */
    name: aString,
    /** The passkey that the browser made. */
    made: anObject<SentPasskey>,
    ...onPage,
  },
  async run(deps, { accountId, sessionId, name, made, relyingParty }) {
    const broken = labelError(name)
    if (broken !== undefined) return invalid('name', broken)
    const attested = await attestedOf(deps, { sessionId, made, relyingParty })
    if (attested.isErr()) return attested
    const { credentialId, publicKey, algorithm, counter } = attested.value
    const createdAtMicros = deps.clock.nowMicros()
    const id = newId(deps.random, createdAtMicros)
    const fresh = { id, rpId: relyingParty.id, createdAtMicros, lastUsedAtMicros: undefined }
    const digest = deps.digests.opaqueTokenDigest('passkey-credential', made.credentialId)
    const inserted = await underActiveKey(deps.keyRing, () => {
      const encrypted = deps.textCipher.encryptText({ column: 'passkey.name', accountId, rowId: id }, name)
      const stored = { ...fresh, accountId, name: encrypted, credentialId, publicKey, algorithm, counter }
      return deps.passkeys.insert(stored, digest, passkeysMax)
    })
    return inserted.isErr() ? inserted : ok<Passkey>({ ...fresh, name })
  },
})

interface Made {
  readonly sessionId: Uuid
  readonly made: SentPasskey
  readonly relyingParty: RelyingParty
}

/** The passkey that was made, once everything about it is right. Its challenge is used up. */
async function attestedOf(
  deps: DepsOf<(typeof attestedNeeds)[number]>,
  { sessionId, made, relyingParty }: Made,
): Promise<Result<AttestedPasskey & { readonly counter: number }, PasskeyRefused | StorageError>> {
  const refused = (reason: PasskeyFault) => err({ code: 'passkey_refused', reason } as const)
  const read = deps.passkeyVerifier.read(made, relyingParty.id)
  if (read === undefined) return refused('malformed')
  if (!isChallengeOf(deps, read.challenge, `add/${sessionId}`)) return refused('challenge')
  const fault = registrationFault(read, relyingParty)
  if (fault !== undefined) return refused(fault)
  const used = await useChallenge(deps, read.challenge)
  if (used.isErr()) return err(used.error)
  const { attested, signCount } = read
  return attested === undefined ? refused('credential') : ok({ ...attested, counter: signCount })
}
