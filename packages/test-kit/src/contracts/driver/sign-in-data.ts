import { noAttempts, type OpenStorage, type Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { laterMicros } from './sample-data.ts'

/** Under what {@link addSignIn} stored what it added. */
export interface SignInData {
  readonly accountId: Uuid
  readonly invitationDigest: Uint8Array
  readonly changeDigest: Uint8Array
  readonly bucket: Uint8Array
  readonly address: Uint8Array
}

/** Adds a one-time link, a change of the email address, an attempt to sign in and a known address to an account. */
export async function addSignIn(
  { invitations, emailChanges, signIns }: OpenStorage,
  make: Samples,
  accountId: Uuid,
): Promise<SignInData> {
  const [invitationDigest, changeDigest] = [make.tokenDigest(), make.tokenDigest()]
  const [bucket, address] = [make.tokenDigest(), make.tokenDigest()]
  const invitation = make.invitation(accountId, { expiresAtMicros: laterMicros + 1 })
  expectOk(await invitations.replace(invitation, invitationDigest), 'making a one-time link')
  const change = make.emailChange(accountId, { expiresAtMicros: laterMicros + 1 })
  expectOk(await emailChanges.replace(change, changeDigest), 'storing a change')
  const counted = { attempts: { ...noAttempts, wrongTotal: 1 }, eraseAtMicros: laterMicros + 1 }
  expectOk(await signIns.update([bucket], () => ok({ buckets: [counted] })), 'counting an attempt')
  const known = { accountId, address, atMicros: noonMicros }
  expectOk(await signIns.rememberAddress(known, 10), 'remembering an address')
  return { accountId, invitationDigest, changeDigest, bucket, address }
}

/** What of it is there. */
export async function signInOf(
  { sessions, invitations, emailChanges, signIns }: OpenStorage,
  { accountId, invitationDigest, changeDigest, bucket, address }: SignInData,
) {
  const attempts = expectErr(await signIns.update([bucket], ([state]) => err(state)))
  return {
    sessions: expectOk(await sessions.page(accountId, undefined, 10)).length,
    invitation: expectOk(await invitations.find(invitationDigest, noonMicros)) !== undefined,
    change: expectOk(await emailChanges.find(changeDigest, noonMicros)) !== undefined,
    attempts: attempts !== undefined && 'wrongTotal' in attempts ? attempts.wrongTotal : undefined,
    address: expectOk(await signIns.knowsAddress(accountId, [address], 0)),
  }
}
