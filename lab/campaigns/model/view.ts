import type { FullSotto } from '@sotto/identity'
import type { List } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { rowsOf, textOf, type Book, type Secret } from './book.ts'
import { like } from './compare.ts'
import { isFinished } from './rules/secrets.ts'
import { isSessionAlive } from './rules/sign-in.ts'
import { everywhere, type World } from './world.ts'

/** Compares everything that owners and operators can see, on every storage, and what the rules know of it with the book. */
export async function compareViews(world: World, pageSize: number): Promise<void> {
  const { book } = world
  const ids = [...book.accounts.keys()]
  const accounts = await everywhere(world, 'accounts', ({ sotto }) => all(sotto.listAccounts({ pageSize })))
  const owned = await everywhere(world, 'what accounts have', ({ sotto }) =>
    inOrder(ids, (accountId) => ownedBy(sotto, accountId, pageSize)),
  )
  const events = await everywhere(world, 'events', async ({ ports }) =>
    expectOk(await ports.outbox.page(undefined, 10_000)),
  )
  const keys = await everywhere(world, 'keys', async ({ sotto }) =>
    // While an account is half erased, the storages may differ in how many of its rows are left under a key.
    expectOk(await sotto.keyStatus()).map(({ rows, ...key }) => (book.isErasing ? key : { ...key, rows })),
  )
  await everywhere(world, 'messages', ({ sotto }) => all(sotto.listDeliveries({ pageSize })))
  like('accounts', byId(accounts), byId([...book.accounts.values()].map(shownAccount)))
  for (const { accountId, ...listed } of owned) {
    const { folders, drafts, secrets } = listed
    like('what an account has', listed, inBook(book, accountId))
    for (const { id, draftsCount, secretsCount } of folders) {
      const inside = (all: readonly { readonly folderId: string }[]) =>
        all.filter(({ folderId }) => folderId === id).length
      like(
        'the counts of a folder',
        { draftsCount, secretsCount },
        { draftsCount: inside(drafts), secretsCount: inside(secrets) },
      )
    }
  }
  like('the active key', keys.find(({ active }) => active)?.kid, book.keys.active)
  if (book.clockWasSetBack) return
  const isThere = (text: string) => book.accounts.has(text.split(' ')[0] ?? '')
  const told = events.map((event) => [textOf(event), event.createdAtMicros] as const)
  const ofAccounts = (events: Book['events']) =>
    events
      .filter(([text]) => isThere(text))
      .map(String)
      .toSorted()
  like('the events', ofAccounts(told), ofAccounts(book.events))
}

async function ownedBy(sotto: FullSotto, accountId: string, pageSize: number) {
  const list = { accountId, pageSize }
  return {
    accountId,
    folders: await all(sotto.listFolders(list)),
    drafts: await all(sotto.listDrafts(list)),
    secrets: await all(sotto.browseSecrets(list)),
    requests: await all(sotto.listRequests(list)),
    accessTokens: await all(sotto.listAccessTokens(list)),
    sessions: await all(sotto.listSessions(list)),
    webhooks: expectOk(await sotto.listWebhooks({ accountId })).items,
    counts: expectOk(await sotto.countSecrets({ accountId })),
    authenticators: expectOk(await sotto.showAuthenticators({ accountId })),
  }
}

/** What the book knows of what an account has. */
function inBook(book: Book, accountId: string) {
  const now = book.now()
  const rows = rowsOf(book.secrets, accountId)
  const live = rows.filter(({ expiresAtMicros = 0 }) => expiresAtMicros > now)
  const ofStatus = (status: string) => live.filter((secret) => statusOf(secret) === status).length
  return {
    folders: byId(rowsOf(book.folders, accountId).map(({ id, label }) => ({ id, label }))),
    drafts: byId(rows.filter(({ link }) => link === undefined).map(shownSecret)),
    secrets: live
      .toSorted(
        (one, other) =>
          (other.link?.createdAtMicros ?? 0) - (one.link?.createdAtMicros ?? 0) ||
          (one.id < other.id ? 1 : -1),
      )
      .map((secret) => ({
        ...{ ...shownSecret(secret), status: statusOf(secret), opens: secret.opens, news: secret.news },
        ...{ link: secret.link, expiresAtMicros: secret.expiresAtMicros },
      })),
    requests: byId(rowsOf(book.requests, accountId).filter(({ closesAtMicros }) => closesAtMicros > now))
      .toReversed()
      .map(({ id, answers, closedAtMicros, closesAtMicros }) => ({
        id,
        answers,
        closedAtMicros,
        closesAtMicros,
      })),
    accessTokens: byId(rowsOf(book.accessTokens, accountId)).map(
      ({ token: _, accountId: __, ...token }) => token,
    ),
    sessions: byId(rowsOf(book.sessions, accountId).filter((session) => isSessionAlive(session, now))).map(
      ({ token: _, accountId: __, ...session }) => session,
    ),
    webhooks: byId(rowsOf(book.webhooks, accountId)).map(({ id }) => ({ id })),
    counts: { waiting: ofStatus('waiting'), opened: ofStatus('opened'), finished: ofStatus('finished') },
  }
}

function statusOf(secret: Secret): string {
  if (isFinished(secret)) return 'finished'
  return secret.opens > 0 ? 'opened' : 'waiting'
}

function shownSecret({ id, folderId, label, openLimit, notify, password }: Secret) {
  return { id, folderId, label, openLimit, notify, hasPassword: password !== undefined }
}

function shownAccount({
  password: _,
  invitation: __,
  known: ___,
  ...shown
}: Book['accounts'] extends Map<string, infer A> ? A : never) {
  return shown
}

/** All that is listed. */
async function all<T, E>(list: List<T, E>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const page of list) items.push(...expectOk(page).items)
  return items
}

async function inOrder<T, U>(all: readonly T[], read: (each: T) => Promise<U>): Promise<readonly U[]> {
  const found: U[] = []
  for (const each of all) found.push(await read(each))
  return found
}

function byId<R extends { readonly id: string }>(rows: readonly R[]): readonly R[] {
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
