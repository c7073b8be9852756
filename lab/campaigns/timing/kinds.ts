import { type FullSotto, makeAccessToken } from '@sotto/identity'
import { randomBytes } from 'node:crypto'
import { ok } from 'neverthrow'
import { noAttempts, secretLifetimeMicros, type Clock, type NewSecret } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectErr, expectOk } from '@sotto/test-kit'

/** What is asked for, by the cause of its absence. Each kind has several, which take turns; there are twice as many unknown ones. */
export type Kinds = Readonly<Record<string, readonly string[]>> & { readonly unknown: readonly string[] }

/** How many there are of each kind. */
const each = 20

/** Makes what is absent for the one or the other reason, in an installation whose clock it sets. */
export interface Maker {
  readonly installation: Installation
  /** The clock of the installation in this process. That of the server shows the real time. */
  readonly clock: Clock & { behindMicros: number }
  readonly accountId: string
  readonly folderId: string
}

/** Link tokens, dead for each cause. The expired ones have to be used within ten minutes: then the server sweeps them. */
export async function deadLinks(maker: Maker): Promise<Kinds> {
  const { sotto, ports } = maker.installation
  const share = async (fields: Partial<NewSecret>) => (await create(maker, fields)).link.token
  const used = await many(() => share({ openLimit: 1 }))
  for (const token of used) expectOk(await sotto.openSecret({ token }))
  const disabled = await many(() => share({ password: 'right' }))
  for (const token of disabled) {
    const guessedOften = () => ok({ attempts: { ...noAttempts, wrongTotal: 99 } })
    expectOk(await ports.links.update(ports.digests.linkLookup(token), undefined, guessedOften))
    expectErr(await sotto.openSecret({ token, password: 'wrong' }), 'password_wrong')
  }
  return {
    unknown: await many(randomToken, 2 * each),
    malformed: await many(() => `${randomToken().slice(0, -1)}B`),
    'used up': used,
    disabled,
    expired: await expired(maker, () => share({})),
  }
}

/** Access tokens that are not valid, for each cause. */
export async function invalidTokens(maker: Maker): Promise<Kinds> {
  const { sotto } = maker.installation
  const make = async (accountId: string, expiresInSeconds?: number) =>
    expectOk(await sotto.createAccessToken({ accountId, name: 'campaign', expiresInSeconds }))
  const revoked = await many(async () => make(maker.accountId))
  for (const { id } of revoked) expectOk(await sotto.revokeAccessToken({ accountId: maker.accountId, id }))
  const { id: disabledId } = expectOk(await sotto.createAccount({ email: `${randomId()}@example.org` }))
  const ofDisabled = await many(async () => make(disabledId))
  expectOk(await sotto.disableAccount({ accountId: disabledId }))
  const late = await expired(maker, () => make(maker.accountId, 60))
  const unknown = () => makeAccessToken((count) => randomBytes(count))
  return {
    unknown: await many(unknown, 2 * each),
    malformed: await many(() => `${unknown().slice(0, -1)}-`),
    revoked: revoked.map(({ token }) => token),
    expired: late.map(({ token }) => token),
    'of a disabled account': ofDisabled.map(({ token }) => token),
  }
}

/** Ids of secrets that the account cannot fetch, for each cause. */
export async function missingSecrets(maker: Maker, stranger: Maker): Promise<Kinds> {
  const { sotto } = maker.installation
  const { accountId, folderId } = maker
  const draft = { accountId, folderId, label: 'a label', note: 'a note' }
  return {
    unknown: await many(randomId, 2 * each),
    malformed: await many(() => `${randomId().slice(0, -1)}x`),
    "a draft's": await many(async () => expectOk(await sotto.saveDraft(draft)).id),
    "another account's": await many(async () => (await create(stranger, {})).id),
    expired: await expired(maker, async () => (await create(maker, {})).id),
  }
}

/**
 * Ids of folders in which the account can create nothing, for each cause. No malformed one: the schema of the body refuses it, which takes
 * longer, and tells its sender nothing new.
 */
export async function missingFolders(stranger: Maker): Promise<Kinds> {
  return {
    unknown: await many(randomId, 2 * each),
    "another account's": await many(
      async () =>
        expectOk(
          await stranger.installation.sotto.createFolder({
            accountId: stranger.accountId,
            label: 'a folder',
          }),
        ).id,
    ),
  }
}

/** A new account with a folder. */
export async function makeMaker(given: Omit<Maker, 'accountId' | 'folderId'>, email: string): Promise<Maker> {
  const { sotto } = given.installation
  const { id: accountId } = expectOk(await sotto.createAccount({ email }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Folder' }))
  return { ...given, accountId, folderId }
}

/** What is live, for the control. */
export async function liveLinks(maker: Maker): Promise<readonly string[]> {
  return many(async () => (await create(maker, {})).link.token)
}

async function create(
  { installation, accountId, folderId }: Maker,
  fields: Partial<NewSecret>,
): ReturnType<typeof shared> {
  return shared(installation.sotto, { accountId, folderId, label: 'a label', note: 'a note', ...fields })
}

async function shared(sotto: FullSotto, secret: Parameters<FullSotto['createSecret']>[0]) {
  return expectOk(await sotto.createSecret(secret))
}

async function many<T>(make: () => T | Promise<T>, count = each): Promise<readonly T[]> {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}

/** Makes them so long ago that they have just expired. */
async function expired<T>({ clock }: Maker, make: () => Promise<T>): Promise<readonly T[]> {
  clock.behindMicros = secretLifetimeMicros + 1_000_000
  const made = await many(make)
  clock.behindMicros = 0
  return made
}

function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

function randomId(): string {
  const hex = randomBytes(16).toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `7${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20)].join('-')
}
