import type { Pages } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { correct, linkLimits, lockedFor, wrongToDisable } from './attempts.ts'
import { shownAccount } from './commands/owners.ts'
import { listedRequests } from './commands/requests.ts'
import { answered, isFinished, shownSecret, tokens } from './commands/secrets.ts'
import { byCreation, keyedRows, type Account, type Secret } from './model.ts'
import { compare, type System, type World } from './world.ts'

/** Compares everything that owners and operators can see, on every storage and in the model. */
export async function compareViews(world: World, pageSize: number): Promise<void> {
  const expected = expectedView(world)
  // How messages are sent is not in the model: the storages are compared with each other.
  const deliveries = async ({ sotto }: System) => ({
    messages: await all(sotto.listDeliveries({ pageSize })),
    webhooks: await Promise.all(
      expected.accounts.map(({ id: accountId }) => sotto.listWebhooks({ accountId })),
    ),
  })
  const [first] = world.systems
  const waiting = first && (await deliveries(first))
  for (const system of world.systems) {
    const seen = await viewOf(system, world, expected.accounts, pageSize)
    world.answers += 1
    compare('messages', [system.name, await deliveries(system)], [first?.name ?? '', waiting])
    for (const part of Object.keys(seen) as (keyof typeof seen)[]) {
      compare(`the view's ${part}`, [system.name, seen[part]], ['model', expected.view[part]])
    }
  }
}

async function viewOf(
  { sotto, ports }: System,
  { model }: World,
  accounts: readonly Account[],
  pageSize: number,
) {
  const isErasing = model.erasing.length > 0
  const owned = []
  for (const { id: accountId } of accounts) {
    owned.push({
      folders: await all(sotto.listFolders({ accountId, pageSize })),
      drafts: await all(sotto.listDrafts({ accountId, pageSize })),
      secrets: await all(sotto.browseSecrets({ accountId, pageSize })),
      requests: await all(sotto.listRequests({ accountId, pageSize })),
      tokens: await all(sotto.listAccessTokens({ accountId, pageSize })),
      sessions: await all(sotto.listSessions({ accountId, pageSize })),
      webhooks: expectOk(await sotto.listWebhooks({ accountId })).items.map(
        ({ id, url, createdAtMicros }) => ({ id, url, createdAtMicros }),
      ),
    })
  }
  const events = expectOk(await ports.outbox.page(undefined, 10_000))
  return {
    accounts: await all(sotto.listAccounts({ pageSize })),
    owned,
    // While an account is half erased, the stores may differ in how many of its rows are left under a key.
    keys: expectOk(await sotto.keyStatus()).map(({ rows, ...key }) => ({
      ...key,
      ...(isErasing ? {} : { rows }),
    })),
    events: events.map(({ id: _, ...event }) => JSON.stringify(sorted(event))).toSorted(),
  }
}

function expectedView(world: World) {
  const { model } = world
  const accounts = model.accounts.toSorted(byCreation)
  return {
    accounts,
    view: {
      accounts: accounts.map(shownAccount),
      owned: accounts.map((account) => ownedBy(world, account)),
      keys: model.keys.stored.map(({ kid, createdAtMicros }, at) => ({
        ...{ kid, createdAtMicros, active: kid === model.keys.active, waiting: kid > model.keys.active },
        ...{ lackedBy: [] },
        replacedAtMicros: kid < model.keys.active ? model.keys.stored[at + 1]?.createdAtMicros : undefined,
        rows: model.erasing.length > 0 ? undefined : keyedRows(model).filter((row) => row.kid === kid).length,
      })),
      events: model.events.map((event) => JSON.stringify(sorted(event))).toSorted(),
    },
  }
}

function ownedBy(world: World, account: Account) {
  const { model, clock } = world
  const now = clock.nowMicros()
  const isOwn = ({ accountId }: { readonly accountId: string }) => accountId === account.id
  const own = model.secrets.filter(isOwn)
  const drafts = own.filter(({ link }) => link === undefined)
  const live = own.filter(({ link }) => link !== undefined && link.expiresAtMicros > now)
  const inFolder = (list: readonly Secret[], id: string) =>
    list.filter(({ folderId }) => folderId === id).length
  return {
    folders: model.folders
      .filter(isOwn)
      .toSorted(byCreation)
      .map(({ id, label, createdAtMicros }) => ({
        ...{ id, label, createdAtMicros },
        draftsCount: inFolder(drafts, id),
        secretsCount: inFolder(live, id),
      })),
    drafts: drafts.toSorted(byCreation).map((draft) => ({ ...shownSecret(draft), ...answered(draft) })),
    secrets: live.toSorted(byLink).map((secret) => overview(world, secret, now)),
    requests: listedRequests(model, account.id, now),
    tokens: account.tokens.toSorted(byCreation).map(({ kid: _, ...token }) => token),
    sessions: account.sessions
      .filter((session) => isAlive(session, now))
      .toSorted(byCreation)
      .map((session) => ({ ...session, name: session.name?.text })),
    webhooks: account.webhooks.toSorted(byCreation).map(({ kid: _, ...webhook }) => webhook),
  }
}

function isAlive(session: Account['sessions'][number], now: number): boolean {
  const hour = 3_600_000_000
  return session.createdAtMicros + 14 * 24 * hour > now && session.lastUsedAtMicros + 12 * hour > now
}

/** Newest link first. */
function byLink(one: Secret, other: Secret): number {
  const at = ({ id, link }: Secret) => ({ id, createdAtMicros: link?.createdAtMicros ?? 0 })
  return byCreation(at(other), at(one))
}

function overview(world: World, secret: Secret, now: number) {
  const attempts = { ...secret.attempts }
  correct(attempts, linkLimits, now)
  const { opens, openLimit, openedAtMicros, news, hasNote } = secret
  return {
    ...shownSecret(secret, tokens(world).get(secret.id)),
    status: isFinished({ ...secret, attempts }) ? 'finished' : opens > 0 ? 'opened' : 'waiting',
    ...{ opens, news, hasNote, opensLeft: openLimit === undefined ? undefined : openLimit - opens },
    openedAtMicros: openedAtMicros.toReversed(),
    lockedUntilMicros: lockedFor(attempts, linkLimits, now) === undefined ? undefined : attempts.lockedUntil,
    isDisabled: attempts.total >= wrongToDisable,
  }
}

/** All pages of a list. */
async function all<T, E>(pages: Pages<T, E>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...expectOk(page).items)
  return items
}

function sorted(event: object): object {
  return Object.fromEntries(Object.entries(event).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
