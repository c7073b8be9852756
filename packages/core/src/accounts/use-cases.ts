import type { Session } from '../sessions/session.ts'
import type { Uuid } from '../shared/uuid.ts'
import { defaultPolicy, requireBounds, type Policy } from '../policy.ts'
import { aListOfStrings, anObject, objectOf, optional } from '../shared/inputs.ts'
import type { SentAssertion, SentPasskey } from '../passkeys/passkey-verifier.ts'
import type { RelyingParty } from '../passkeys/passkey-rules.ts'
import { addPasskey, beginPasskey } from '../passkeys/add-passkey.ts'
import { beginSso } from '../single-sign-on/begin-sso.ts'
import { authenticateSession } from '../sessions/authenticate-session.ts'
import { authenticate } from '../access-tokens/authenticate.ts'
import { changeEmail } from '../email-changes/change-email.ts'
import { changePassword } from '../passwords/change-password.ts'
import { choosePassword } from '../passwords/choose-password.ts'
import { confirmEmailChange } from '../email-changes/confirm-email-change.ts'
import { connectIdentity } from '../single-sign-on/connect-identity.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../access-tokens/access-tokens.ts'
import { createAccount } from './create-account.ts'
import { rememberNotify, setLanguage } from './account-choices.ts'
import { deleteAccount, disableAccount } from './delete-account.ts'
import { endSessionsOfIdentity } from '../single-sign-on/end-sessions-of-identity.ts'
import { endSession, listSessions } from '../sessions/sessions.ts'
import { ensureAccount } from './ensure-account.ts'
import { ensureReauthentication } from '../passwords/ensure-reauthentication.ts'
import { findAccount } from './find-account.ts'
import { getAccount } from './get-account.ts'
import { listIdentities } from '../single-sign-on/identities.ts'
import { inviteAccount } from '../invitations/invite-account.ts'
import { listAccounts } from './list-accounts.ts'
import { beginPasskeyProof, deletePasskey, listPasskeys } from '../passkeys/passkeys.ts'
import { previewEmailChange } from '../email-changes/preview-email-change.ts'
import { previewInvitation } from '../invitations/preview-invitation.ts'
import { reauthenticateWithIdentity } from '../single-sign-on/reauthenticate-with-identity.ts'
import { releaseAccount } from './release-account.ts'
import { requestEmailChange } from '../email-changes/request-email-change.ts'
import { requestReset } from '../invitations/request-reset.ts'
import { resetAccount } from '../invitations/reset-account.ts'
import { signInWithIdentity } from '../single-sign-on/sign-in-with-identity.ts'
import { beginPasskeySignIn, signInWithPasskey } from '../passkeys/sign-in-with-passkey.ts'
import type { UsedPasskey } from '../passkeys/verify-passkey.ts'
import { signIn } from '../passwords/sign-in.ts'
import { nameSession } from '../sessions/name-session.ts'
import { setDisplayName } from './set-display-name.ts'
import { takeInvitation } from '../invitations/take-invitation.ts'
import { disconnectIdentity, removeIdentity, showWaysIn } from '../passwords/ways-in.ts'
import { peekQuota, takeQuota, type QuotaBucket } from '../quota/take-quota.ts'
import { bindAll, list, result, withoutInput, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { account, accountAndId, email, pages, pagesOfAccount, token } from '../shared/shapes.ts'

const ofAccount = objectOf<{ kind: string; accountId: Uuid }>({ kind: 'string', ...account })
const ofSession = objectOf<{ kind: string; sessionId: Uuid }>({ kind: 'string', sessionId: 'string' })
const ofAddress = objectOf<{ kind: string; address: string }>({ kind: 'string', address: 'string' })
/** The relying party, which is made of the base URL and passed on by the pages. */
const relyingParty = objectOf<RelyingParty>({ id: 'string', origin: 'string' })

const ssoCallback = { callbackUrl: 'string', pending: 'string' } as const

function quotaBucket(value: unknown): value is QuotaBucket {
  switch (anObject<{ readonly kind?: unknown }>(value) && value.kind) {
    case 'account':
    case 'pages':
    case 'tests':
      return ofAccount(value)
    case 'session':
      return ofSession(value)
    case 'address':
      return ofAddress(value)
    default:
      return false
  }
}

const useCases = {
  // Callers
  authenticate: result(authenticate, token),
  takeQuota: result(takeQuota, { bucket: quotaBucket }),
  peekQuota: result(peekQuota, { bucket: quotaBucket }),

  // Signing in
  signIn: result(signIn, { ...email, password: 'string', address: 'string' }),
  authenticateSession: result(authenticateSession, token),
  listSessions: list(listSessions, pagesOfAccount),
  nameSession: result(nameSession, { ...accountAndId, name: 'string' }),
  endSession: result(endSession, accountAndId),
  ensureReauthentication: result(ensureReauthentication, {
    ...account,
    session: anObject<Session>,
    password: 'string?',
    passkey: optional(anObject<UsedPasskey>),
    address: 'string',
  }),
  previewInvitation: result(previewInvitation, token),
  choosePassword: result(choosePassword, { ...token, password: 'string', address: 'string' }),
  requestReset: result(requestReset, { ...email, address: 'string', urlOf: 'function' }),
  changePassword: result(changePassword, { ...account, sessionId: 'string', password: 'string' }),

  // Single sign-on and passkeys
  beginSso: result(beginSso, { redirectUri: 'string', fresh: 'boolean' }),
  signInWithIdentity: result(signInWithIdentity, { ...ssoCallback, address: 'string' }),
  takeInvitation: result(takeInvitation, { ...ssoCallback, ...token, address: 'string' }),
  reauthenticateWithIdentity: result(reauthenticateWithIdentity, {
    ...ssoCallback,
    ...account,
    sessionId: 'string',
  }),
  endSessionsOfIdentity: result(endSessionsOfIdentity, { logoutToken: 'string' }),
  showWaysIn: result(showWaysIn, account),
  listIdentities: result(listIdentities, account),
  connectIdentity: result(connectIdentity, { ...ssoCallback, ...account }),
  disconnectIdentity: result(disconnectIdentity, { ...accountAndId, sessionId: 'string', rpId: 'string?' }),
  removeIdentity: result(removeIdentity, accountAndId),
  beginPasskeySignIn: withoutInput(beginPasskeySignIn),
  signInWithPasskey: result(signInWithPasskey, {
    assertion: anObject<SentAssertion>,
    relyingParty,
    address: 'string',
  }),
  beginPasskey: result(beginPasskey, { ...account, sessionId: 'string' }),
  addPasskey: result(addPasskey, {
    ...account,
    sessionId: 'string',
    name: 'string',
    made: anObject<SentPasskey>,
    relyingParty,
  }),
  beginPasskeyProof: result(beginPasskeyProof, { ...account, sessionId: 'string', rpId: 'string' }),
  listPasskeys: result(listPasskeys, account),
  deletePasskey: result(deletePasskey, { ...accountAndId, sessionId: 'string', rpId: 'string?' }),

  // Accounts and their access tokens
  createAccount: result(createAccount, email),
  ensureAccount: result(ensureAccount, { externalId: 'string' }),
  findAccount: result(findAccount, email),
  listAccounts: list(listAccounts, pages),
  getAccount: result(getAccount, account),
  inviteAccount: result(inviteAccount, email),
  resetAccount: result(resetAccount, email),
  changeEmail: result(changeEmail, { ...account, ...email }),
  requestEmailChange: result(requestEmailChange, { ...account, ...email, urlOf: 'function' }),
  previewEmailChange: result(previewEmailChange, token),
  confirmEmailChange: result(confirmEmailChange, token),
  setLanguage: result(setLanguage, { ...account, language: 'string?' }),
  setDisplayName: result(setDisplayName, { ...account, displayName: 'string?' }),
  rememberNotify: result(rememberNotify, { ...account, notify: 'boolean' }),
  deleteAccount: result(deleteAccount, account),
  disableAccount: result(disableAccount, account),
  releaseAccount: result(releaseAccount, account),
  createAccessToken: result(createAccessToken, {
    ...account,
    name: 'string',
    scopes: optional(aListOfStrings),
    expiresInSeconds: 'number?',
  }),
  listAccessTokens: list(listAccessTokens, pagesOfAccount),
  revokeAccessToken: result(revokeAccessToken, accountAndId),
}

const methods: MethodsOf<typeof useCases> = {
  accounts: {
    findByName: true,
    find: true,
    insert: true,
    page: true,
    rename: true,
    setLanguage: true,
    setDisplayName: true,
    setNotifies: true,
    beginErasure: true,
    eraseBegun: true,
    disable: true,
    release: true,
  },
  accessTokens: { findUsable: true, recordUse: true, insert: true, page: true, revoke: true },
  passwords: { find: true, replace: true },
  sessions: {
    page: true,
    erase: true,
    insert: true,
    recordUse: true,
    rename: true,
    findByDigest: true,
    recordReauthentication: true,
  },
  identities: {
    list: true,
    find: true,
    waysIn: true,
    insert: true,
    insertAccount: true,
    recordUse: true,
    refuse: true,
    erase: true,
    endSessions: true,
  },
  passkeys: { list: true, insert: true, findByCredential: true, recordUse: true, erase: true },
  passkeyVerifier: { read: true, isSigned: true },
  usedTokens: { use: true },
  identityProvider: {
    issuer: 'if present',
    begin: 'if present',
    finish: 'if present',
    readLogout: 'if present',
  },
  signIns: { update: true, rememberAddress: true, knowsAddress: true },
  invitations: { find: true, spend: true, take: true, replace: true },
  emailChanges: { replace: true, find: true, spend: true },
  folders: { page: true, insert: true },
  webhooks: { list: true },
  quota: { peek: true, take: true },
  textCipher: { decryptText: true, encryptText: true, sealText: true, unsealText: true },
  keyRing: { refresh: true, follow: true },
  passwordHasher: { hash: true, params: true },
  digests: {
    accessTokenDigest: true,
    addressBucket: true,
    keyedDigests: true,
    accountIndexes: true,
    opaqueTokenDigest: true,
  },
  mailSender: { send: 'if present' },
  clock: { nowMicros: true },
  random: { bytes: true },
}

/** What {@link createIdentity} binds its use-cases to. */
export interface IdentityOptions {
  readonly ports: PortsOf<typeof useCases>
  /** The policy; `defaultPolicy` by default. */
  readonly policy?: Pick<Policy, 'quota' | 'signIn'> | undefined
}

/**
 * Callers and their quota, signing in, accounts and their access tokens. Throws a TypeError when a method of a port is missing, or the
 * policy is not valid.
 */
export function createIdentity({ ports, policy = defaultPolicy }: IdentityOptions) {
  requireBounds(policy, ['quota'])
  return bindAll(useCases, methods, { ...ports, policy })
}
