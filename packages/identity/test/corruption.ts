import { expectOk } from '@sotto/test-kit'
import { corruptEachKind as corruptEachKindOfCore, corrupted } from '../../core/test/corruption.ts'
import { addPasskey, choosePassword, connect, type World } from './world.ts'

/** Corrupts the name of a session. */
export function corruptSessionName({ deps }: World, id: string): void {
  const { sessions } = deps.data
  const row = sessions.get(id)!
  sessions.set(id, { ...row, session: { ...row.session, name: corrupted(row.session.name!) } })
}

/** Corrupts the name of an identity. */
export function corruptIdentity({ deps }: World, id: string): void {
  const { identities } = deps.data
  const { identity, ...row } = identities.get(id)!
  identities.set(id, { ...row, identity: { ...identity, name: corrupted(identity.name) } })
}

/** Adds an identity with a name that is corrupted. Returns its id. */
async function addCorruptedIdentity(world: World): Promise<string> {
  const id = await connect(world)
  corruptIdentity(world, id)
  return id
}

/** Adds a passkey with a name that is corrupted. Returns its id. */
async function addCorruptedPasskey(world: World): Promise<string> {
  const id = await addPasskey(world)
  const { passkeys } = world.deps.data
  const { passkey, ...row } = passkeys.get(id)!
  passkeys.set(id, { ...row, passkey: { ...passkey, name: corrupted(passkey.name) } })
  return id
}

/** Adds to the world a row of every kind that is corrupted, those of the core too. Returns the ids of all corrupted rows. */
export async function corruptEachKind(world: World) {
  const { sotto, accountId, deps } = world
  const { id: token } = expectOk(await sotto.createAccessToken({ accountId, name: 'laptop' }))
  const { accessTokens } = deps.data
  const row = accessTokens.get(token)!
  accessTokens.set(token, { ...row, token: { ...row.token, name: corrupted(row.token.name) } })
  const { id: session } = await choosePassword(world)
  expectOk(await sotto.nameSession({ accountId, id: session, name: 'laptop' }))
  corruptSessionName(world, session)
  return {
    ...(await corruptEachKindOfCore(world)),
    token,
    session,
    identity: await addCorruptedIdentity(world),
    passkey: await addCorruptedPasskey(world),
  }
}
