import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ShareableSecret, Uuid } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import { openInstallation, readSettings } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { fill } from './filler.ts'

export interface StoreOptions {
  readonly directory: string
  /** Further settings, such as its database. */
  readonly settings?: Readonly<Record<string, string>>
  /** The least number of secrets in the store. */
  readonly secrets: number
  /** The number of secrets of each account whose list is measured. */
  readonly lists: readonly number[]
  /** How many links with a password there are; none by default. */
  readonly lockedLinks?: number
  /** How many accounts create secrets; 8 by default. */
  readonly creators?: number
}

/** An account whose requests are measured. */
export interface Member {
  readonly secrets: number
  readonly token: string
  readonly folderId: Uuid
  readonly secretIds: readonly Uuid[]
}

export interface Store {
  readonly directory: string
  /** The accounts, in the order of {@link StoreOptions.lists}. */
  readonly members: readonly Member[]
  /** Accounts without secrets, which create some. */
  readonly creators: readonly Member[]
  /** Tokens of links that can be opened without limit. */
  readonly links: readonly string[]
  /** Links of secrets whose owner wants to know of each open. */
  readonly notifyingLinks: readonly string[]
  readonly lockedLinks: readonly string[]
  /** Somebody with 50 secrets who is signed in: as many as one page shows. */
  readonly owner: Owner
}

export interface Owner extends Member {
  readonly email: string
  readonly sessionToken: string
}

export const password = 'correct horse'
export const ownerPassword = 'correct horse battery staple'
const links = 500
const atOnce = 500
const pageRows = 50

/** The settings with which a server uses this store. */
export function placesOf(directory: string): Record<'SOTTO_DATA_DIR' | 'SOTTO_KEYS_FILE', string> {
  return { SOTTO_DATA_DIR: join(directory, 'data'), SOTTO_KEYS_FILE: join(directory, 'keys.json') }
}

/** Makes a store. Only the filling bypasses the code that serves. */
export async function makeStore({
  directory,
  settings = {},
  secrets,
  lists,
  lockedLinks = 0,
  creators = 8,
}: StoreOptions): Promise<Store> {
  const own = lists.reduce((sum, count) => sum + count, 0) + 2 * links + lockedLinks + pageRows
  if (secrets > 2 * own) {
    await withSotto(directory, {}, () => Promise.resolve())
    fill(placesOf(directory).SOTTO_DATA_DIR, secrets - own)
  }
  return withSotto(directory, settings, async (sotto) => {
    const members: Member[] = []
    for (const [nr, count] of lists.entries()) members.push(await makeMember(sotto, `list-${nr}`, count))
    const makers: Member[] = []
    for (let nr = 0; nr < creators; nr += 1) makers.push(await makeMember(sotto, `creator-${nr}`, 0))
    const opener = await makeAccount(sotto, 'opener')
    return {
      directory,
      members,
      creators: makers,
      links: tokensOf(await makeSecrets(sotto, opener, links)),
      notifyingLinks: tokensOf(await makeSecrets(sotto, opener, links, { notify: true })),
      lockedLinks: await makeLockedLinks(sotto, opener, lockedLinks),
      owner: await makeOwner(sotto),
    }
  })
}

/** Works on a store while no server has it open. */
export async function withSotto<T>(
  directory: string,
  more: Readonly<Record<string, string>>,
  work: (sotto: FullSotto) => Promise<T>,
): Promise<T> {
  mkdirSync(directory, { recursive: true })
  const settings = expectOk(readSettings({ ...placesOf(directory), ...more }, directory))
  const onFatal = (): never => {
    throw new Error('the disk did not keep what was written')
  }
  const installation = expectOk(await openInstallation({ settings, onFatal, log: () => undefined }))
  try {
    return await work(installation.sotto)
  } finally {
    await installation.close()
  }
}

interface Account {
  readonly accountId: Uuid
  readonly token: string
  readonly folderIds: readonly Uuid[]
}

async function makeAccount(sotto: FullSotto, name: string): Promise<Account> {
  const { id: accountId } = expectOk(await sotto.createAccount({ email: `${name}@example.org` }))
  const folderIds: Uuid[] = []
  for (let nr = 0; nr < 10; nr += 1)
    folderIds.push(expectOk(await sotto.createFolder({ accountId, label: `Folder ${nr}` })).id)
  const { token } = expectOk(await sotto.createAccessToken({ accountId, name: 'bench' }))
  return { accountId, token, folderIds }
}

async function makeMember(sotto: FullSotto, name: string, secrets: number): Promise<Member> {
  const account = await makeAccount(sotto, name)
  const secretIds = (await makeSecrets(sotto, account, secrets)).map(({ id }) => id)
  return { secrets, token: account.token, folderId: account.folderIds[0] ?? '', secretIds }
}

async function makeOwner(sotto: FullSotto): Promise<Owner> {
  const member = await makeMember(sotto, 'owner', pageRows)
  const email = 'owner@example.org'
  const { token } = expectOk(await sotto.inviteAccount({ email }))
  const session = await sotto.choosePassword({ token, password: ownerPassword, address: '127.0.0.1' })
  return { ...member, email, sessionToken: expectOk(session).token }
}

/** Makes links with a password one after another, because a password that waits long to be hashed is refused. */
async function makeLockedLinks(sotto: FullSotto, account: Account, count: number): Promise<string[]> {
  const tokens: string[] = []
  while (tokens.length < count) tokens.push(...tokensOf(await makeSecrets(sotto, account, 1, { password })))
  return tokens
}

function tokensOf(secrets: readonly ShareableSecret[]): string[] {
  return secrets.map(({ link }) => link.token)
}

async function makeSecrets(
  sotto: FullSotto,
  { accountId, folderIds }: Account,
  count: number,
  more: { readonly password?: string; readonly notify?: boolean } = {},
): Promise<readonly ShareableSecret[]> {
  const made: ShareableSecret[] = []
  for (let start = 0; start < count; start += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - start) }, (_, nr) =>
      sotto.createSecret({
        accountId,
        folderId: folderIds[nr % folderIds.length] ?? '',
        label: `Database, staging ${start + nr}`,
        note: 'user: app\npassword: correct horse battery staple',
        ...more,
      }),
    )
    for (const created of await Promise.all(batch)) made.push(expectOk(created))
  }
  return made
}
