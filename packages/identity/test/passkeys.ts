import type { Uuid } from '@sotto/core'
import { createFakePasskey, expectOk, type PasskeyCeremony, type TestPasskey } from '@sotto/test-kit'
import type { Session } from '../src/sessions/session.ts'
import { type UsedPasskey, userHandleOf } from '../src/passkeys/verify-passkey.ts'
import { unknownId } from '../../core/test/world.ts'
import { type World } from './world.ts'

/** The service as the tests' passkeys know it. */
export const relyingParty = { id: 'sotto.example', origin: 'https://sotto.example' } as const

/** What a browser says on a page of the service. */
export function ceremonyOf(challenge: string): PasskeyCeremony {
  return { challenge, rpId: relyingParty.id, origin: relyingParty.origin }
}

/** A passkey that was added to the world's account. */
export interface AddedPasskey {
  readonly id: Uuid
  readonly passkey: TestPasskey
}

export async function addPasskey(
  { sotto, accountId }: World,
  { name = 'Phone', signCount = 0 }: { readonly name?: string; readonly signCount?: number } = {},
): Promise<AddedPasskey> {
  const passkey = createFakePasskey(`${accountId} ${name}`)
  const session = { accountId, sessionId: unknownId }
  const { challenge } = expectOk(await sotto.beginPasskey(session))
  const made = passkey.made({ ...ceremonyOf(challenge), signCount })
  const { id } = expectOk(await sotto.addPasskey({ ...session, name, made, relyingParty }))
  return { id, passkey }
}

/** What a browser sends with the login page. @param changes what is wrong about it */
export async function usedToSignIn(
  { sotto, accountId }: World,
  passkey: TestPasskey,
  changes: Partial<PasskeyCeremony> & { readonly userHandle?: string } = {},
): Promise<UsedPasskey> {
  const challenge = expectOk(await sotto.beginPasskeySignIn())
  const { userHandle = userHandleOf(accountId), ...others } = changes
  return { assertion: passkey.used({ ...ceremonyOf(challenge), ...others, userHandle }), relyingParty }
}

/** What a browser sends with a form that asks for a fresh proof. */
export async function usedAsProof(
  { sotto, accountId }: World,
  passkey: TestPasskey,
  { id: sessionId }: Pick<Session, 'id'>,
  changes: Partial<PasskeyCeremony> & { readonly userHandle?: string } = {},
): Promise<UsedPasskey> {
  const begun = expectOk(await sotto.beginPasskeyProof({ accountId, sessionId, rpId: relyingParty.id }))
  const { userHandle = '', ...others } = changes
  const challenge = begun?.challenge ?? ''
  return { assertion: passkey.used({ ...ceremonyOf(challenge), ...others, userHandle }), relyingParty }
}
