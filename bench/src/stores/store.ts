import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  createAccessToken,
  createAccount,
  createFolder,
  createSecret,
  type Ports,
  type Uuid,
} from '@sotto/core'
import { openInstallation, readSettings } from '@sotto/server'
import { fill } from './filler.ts'

export interface StoreOptions {
  readonly directory: string
  /** Secrets in the store, at least. */
  readonly secrets: number
  /** How many secrets each of the accounts has whose list is asked for. */
  readonly lists: readonly number[]
  /** How many links with a password there are; none by default. */
  readonly lockedLinks?: number
}

/** Somebody whose requests are measured. */
export interface Member {
  readonly secrets: number
  readonly token: string
  readonly folderId: Uuid
  readonly secretIds: readonly Uuid[]
}

export interface Store {
  readonly directory: string
  /** In the order of {@link StoreOptions.lists}, then those that have nothing and create. */
  readonly members: readonly Member[]
  readonly creators: readonly Member[]
  /** Links that can be opened without limit. */
  readonly links: readonly string[]
  readonly lockedLinks: readonly string[]
}

export const password = 'correct horse'
const links = 500
const creators = 8
const atOnce = 500

/** Where a server finds this store. */
export function placesOf(directory: string): Record<'SOTTO_DATA_DIR' | 'SOTTO_KEYS_FILE', string> {
  return { SOTTO_DATA_DIR: join(directory, 'data'), SOTTO_KEYS_FILE: join(directory, 'keys.json') }
}

/** Makes a store, by the same code that serves, apart from the filling. */
export async function makeStore({
  directory,
  secrets,
  lists,
  lockedLinks = 0,
}: StoreOptions): Promise<Store> {
  mkdirSync(directory, { recursive: true })
  const own = lists.reduce((sum, count) => sum + count, 0) + links + lockedLinks
  if (secrets > 2 * own) {
    await withPorts(directory, () => Promise.resolve())
    fill(placesOf(directory).SOTTO_DATA_DIR, secrets - own)
  }
  return withPorts(directory, async (ports) => {
    const members: Member[] = []
    for (const [nr, count] of lists.entries()) members.push(await makeMember(ports, `list-${nr}`, count))
    const makers: Member[] = []
    for (let nr = 0; nr < creators; nr += 1) makers.push(await makeMember(ports, `creator-${nr}`, 0))
    const opener = await makeAccount(ports, 'opener')
    return {
      directory,
      members,
      creators: makers,
      links: (await makeSecrets(ports, opener, links)).map(({ link }) => link.token),
      lockedLinks: await makeLockedLinks(ports, opener, lockedLinks),
    }
  })
}

async function withPorts<T>(directory: string, work: (ports: Ports) => Promise<T>): Promise<T> {
  const settings = readSettings(placesOf(directory), directory)._unsafeUnwrap()
  const fatal = (): never => {
    throw new Error('the disk did not keep what was written')
  }
  const opened = await openInstallation({ settings, onFatal: fatal, log: () => undefined })
  const installation = opened._unsafeUnwrap()
  try {
    return await work(installation.ports)
  } finally {
    await installation.close()
  }
}

interface Account {
  readonly accountId: Uuid
  readonly token: string
  readonly folderIds: readonly Uuid[]
}

async function makeAccount(ports: Ports, name: string): Promise<Account> {
  const { id: accountId } = (await createAccount(ports, { email: `${name}@example.org` }))._unsafeUnwrap()
  const folderIds: Uuid[] = []
  for (let nr = 0; nr < 10; nr += 1)
    folderIds.push((await createFolder(ports, { accountId, label: `Folder ${nr}` }))._unsafeUnwrap().id)
  const { token } = (await createAccessToken(ports, { accountId, name: 'bench' }))._unsafeUnwrap()
  return { accountId, token, folderIds }
}

async function makeMember(ports: Ports, name: string, secrets: number): Promise<Member> {
  const account = await makeAccount(ports, name)
  const secretIds = (await makeSecrets(ports, account, secrets)).map(({ id }) => id)
  return { secrets, token: account.token, folderId: account.folderIds[0] ?? '', secretIds }
}

/** One after another: whoever waits long for a password to be hashed is turned away. */
async function makeLockedLinks(ports: Ports, account: Account, count: number): Promise<string[]> {
  const tokens: string[] = []
  while (tokens.length < count)
    for (const { link } of await makeSecrets(ports, account, 1, password)) tokens.push(link.token)
  return tokens
}

async function makeSecrets(
  ports: Ports,
  { accountId, folderIds }: Account,
  count: number,
  secretPassword?: string,
) {
  const made = []
  for (let start = 0; start < count; start += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - start) }, (_, nr) =>
      createSecret(ports, {
        accountId,
        folderId: folderIds[nr % folderIds.length] ?? '',
        label: `Database, staging ${start + nr}`,
        note: 'user: app\npassword: correct horse battery staple',
        password: secretPassword,
      }),
    )
    for (const created of await Promise.all(batch)) made.push(created._unsafeUnwrap())
  }
  return made
}
