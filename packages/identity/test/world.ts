import type { Policy, Uuid } from '@sotto/core'
import { newId } from '@sotto/core/building-blocks'
import { expectOk, type MemoryPerson, type MemoryTelling } from '@sotto/test-kit'
import {
  awayAddress,
  createWorld as createCoreWorld,
  email,
  homeAddress,
  type World as CoreWorld,
} from '../../core/test/world.ts'
import { createFullSotto, type FullSotto } from '../src/identity.ts'
import type { SignInPolicy, IdentityPolicy } from '../src/sessions/sign-in-policy.ts'
import type { ChosenPassword } from '../src/invitations/choose-password.ts'

/** Everything in memory, for one test. */
export interface World extends CoreWorld {
  readonly deps: CoreWorld['deps'] & { readonly policy: Policy & IdentityPolicy }
  readonly sotto: FullSotto
}

/** An account with one folder. */
export async function createWorld(): Promise<World> {
  const world = await createCoreWorld()
  return { ...world, sotto: createFullSotto({ ports: world.deps, policy: world.deps.policy }) }
}

/** A password that the world's account may have. */
export const goodPassword = 'correct horse battery staple'

/** Gives the world's account a password. The session in which it was chosen. */
export async function choosePassword({ sotto }: World, password = goodPassword): Promise<ChosenPassword> {
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  return expectOk(await sotto.choosePassword({ token, password, address: homeAddress }))
}

/** Asks for a change of the email of the world's account. The token of the link that was mailed. */
export async function requestChange(
  { deps, sotto, accountId }: World,
  to = 'ada@new.example',
): Promise<string> {
  const urlOf = (token: string): string => `https://sotto.example/confirm/${token}`
  expectOk(await sotto.requestEmailChange({ accountId, email: to, urlOf }))
  const content = deps.mailSender.attempts.at(-1)?.content
  if (content?.kind !== 'confirm') throw new Error('no link was mailed')
  return content.url.slice(-43)
}

/** Somebody at the identity provider, whose address no account has. */
export const person: MemoryPerson = {
  subject: 'f3b1c0de',
  sessionId: 'session-1',
  email: 'Grace@Example.org',
  emailVerified: true,
  groups: ['sotto-users'],
}

/** Signs somebody in at the identity provider: what the browser comes back with. */
export async function comeBack(
  { deps, sotto }: Pick<World, 'deps' | 'sotto'>,
  who: Partial<MemoryPerson> = {},
  telling?: MemoryTelling,
): Promise<{ readonly callbackUrl: string; readonly pending: string }> {
  const begun = await sotto.beginSso({
    redirectUri: 'https://sotto.example/login/sso/callback',
    fresh: false,
  })
  const { url, pending } = expectOk(begun)
  return { callbackUrl: deps.identityProvider.signIn(url, { ...person, ...who }, telling), pending }
}

/** Signs somebody in with an identity, from an address that the world's account does not know. */
export async function signInAs(world: World, who: Partial<MemoryPerson> = {}) {
  return world.sotto.signInWithIdentity({ ...(await comeBack(world, who)), address: awayAddress })
}

/** The world in which people sign in like this. */
export function withSignIn({ deps, ...world }: World, signIn: Partial<SignInPolicy>): World {
  const chosen: Policy & IdentityPolicy = {
    ...deps.policy,
    signIn: { passwords: true, allowed: [], ...signIn },
  }
  return {
    ...world,
    deps: { ...deps, policy: chosen },
    sotto: createFullSotto({ ports: deps, policy: chosen }),
  }
}

/** Connects somebody's identity with the world's account. Its id. */
export async function connect(world: World, who: Partial<MemoryPerson> = {}): Promise<string> {
  const { sotto, accountId } = world
  return expectOk(await sotto.connectIdentity({ accountId, ...(await comeBack(world, who)) })).id
}

/** Adds a passkey to the world's account. */
export async function addPasskey({ deps, accountId }: World, name = 'laptop'): Promise<string> {
  const id = newId(deps.random, deps.clock.nowMicros())
  const encrypted = deps.textCipher.encryptText({ column: 'passkey.name', accountId, rowId: id }, name)
  const [credentialId, publicKey] = [deps.random.bytes(32), deps.random.bytes(91)]
  const times = { createdAtMicros: deps.clock.nowMicros(), lastUsedAtMicros: undefined }
  const key = { credentialId, publicKey, algorithm: -7, counter: 0, rpId: 'sotto.example' }
  expectOk(
    await deps.passkeys.insert(
      { id, accountId, name: encrypted, ...times, ...key },
      deps.random.bytes(32),
      10,
    ),
  )
  return id
}

/** The account of a member of the group `sotto-users`, made at the first sign-in, and the world in which members get one. */
export async function makeHeld(world: World, who: Partial<MemoryPerson> = {}) {
  const open = withSignIn(world, { allowed: [{ kind: 'group', name: 'sotto-users' }] })
  const { accountId, token } = expectOk(await signInAs(open, who))
  return { world: { ...open, accountId }, accountId, token }
}

/** The token of a one-time link that the operator makes for an account, and its email. */
export async function operatorsLink({ sotto }: Pick<World, 'sotto'>, accountId: Uuid) {
  const { email = '' } = expectOk(await sotto.getAccount({ accountId }))
  const { token } = expectOk(await sotto.resetAccount({ email }))
  return { email, token }
}
