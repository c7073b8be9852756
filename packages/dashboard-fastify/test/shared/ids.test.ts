import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { comparable, startDashboard, type Dashboard, type Owner } from '../support/app.ts'
import {
  formFor,
  makeThings,
  pathOf,
  pathsOf,
  someFiles,
  withId,
  type Path,
  type Things,
} from '../support/paths.ts'

const malformed = [
  'x',
  '0',
  '018f0000-0000-7000-8000-00000000000',
  '018F0000-0000-7000-8000-00000000000G',
  '%00',
  '%2F',
  '..%2f..',
  "'--",
  'é',
  '%F0%9F%94%91',
  'a'.repeat(1_000),
]

/** Ids that name nothing of the owner's, for each path. */
async function foreignIds(
  dashboard: Dashboard,
  owner: Owner,
  url: string,
  others: Things,
): Promise<Readonly<Record<string, string>>> {
  const idIn = (things: Things): string => idOf(url, pathOf(url, things))
  const own = await makeThings(dashboard, owner)
  return {
    unknown: '018f0000-0000-7000-8000-000000000000',
    nil: '00000000-0000-0000-0000-000000000000',
    "another account's": idIn(others),
    "another kind's": url.includes('/folders/') ? own.secret : own.folder,
    ...Object.fromEntries(malformed.map((id) => [`malformed ${id.slice(0, 40)}`, id])),
    ...(await goneIds(dashboard, owner, url)),
  }
}

/** Things that were deleted, or that have become something else. */
async function goneIds(
  dashboard: Dashboard,
  owner: Owner,
  url: string,
): Promise<Readonly<Record<string, string>>> {
  const { sotto } = dashboard
  const { accountId } = owner
  const gone = await makeThings(dashboard, owner)
  expectOk(await sotto.destroySecret({ accountId, id: gone.secret }))
  expectOk(await sotto.deleteFolder({ accountId, id: gone.emptyFolder }))
  expectOk(await sotto.shareDraft({ accountId, id: gone.draft }))
  const deleted = await makeThings(dashboard, owner)
  expectOk(await sotto.deleteDraft({ accountId, id: deleted.draft }))
  if (url.startsWith('/settings/notifications/')) {
    expectOk(await sotto.deleteWebhook({ accountId, id: gone.webhook }))
    return { deleted: gone.webhook }
  }
  if (url.startsWith('/secrets/'))
    return { destroyed: gone.secret, draft: (await makeThings(dashboard, owner)).draft }
  if (url.startsWith('/drafts/')) return { shared: gone.draft, deleted: deleted.draft }
  return url.startsWith('/folders/') ? { deleted: gone.emptyFolder } : {}
}

/** What stands for the parameter of a registered path. */
function idOf(url: string, path: string): string {
  const at = url.split('/').findIndex((segment) => segment.startsWith(':'))
  return path.split('/')[at] ?? ''
}

const hasId = ({ url, isOwners }: Path): boolean => isOwners && url.includes(':')

// Promise (The owner's pages): Ids of other accounts are not found, like unknown ones
t.test('an id that names nothing of the owner is not found, identically for every reason', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 1_000_000, perDay: 1_000_000, files: someFiles })
  const stranger = await dashboard.makeOwner()
  const others = await makeThings(dashboard, stranger)
  const paths = (await pathsOf(dashboard, others)).filter(hasId)
  t.ok(paths.length >= 9, `${paths.length} paths have an id`)
  for (const { url, methods } of paths) {
    // One for each path: an owner can ask only so often for what is mailed.
    const owner = await dashboard.makeOwner()
    const ids = await foreignIds(dashboard, owner, url, others)
    const before = dashboard.snapshot()
    for (const method of methods) {
      const answerTo = async (id: string): Promise<unknown> => {
        const path = withId(url, id)
        const answer =
          method === 'POST'
            ? await dashboard.post(path, formFor(url, others, owner), { as: owner })
            : await dashboard.request(method, path, { as: owner })
        return comparable(answer)
      }
      const expected = await answerTo('018f0000-0000-7000-8000-000000000001')
      t.match(expected, { statusCode: 404 }, `${method} ${url}`)
      for (const [what, id] of Object.entries(ids)) {
        t.same(await answerTo(id), expected, `${method} ${url} ${what}`)
      }
    }
    t.equal(dashboard.snapshot(), before, `${url}: nothing was changed`)
  }
})

t.test('the other account can do with the same ids what its owner cannot', async (t) => {
  const dashboard = await startDashboard(t, { files: someFiles })
  const stranger = await dashboard.makeOwner()
  const things = await makeThings(dashboard, stranger)
  for (const { url, path, methods } of (await pathsOf(dashboard, things)).filter(hasId)) {
    if (!methods.includes('GET')) continue
    t.equal((await dashboard.get(path, { as: stranger })).statusCode, url === '/folders/:id' ? 303 : 200, url)
  }
})

// Promise (The owner's pages): An id is the same in either case
t.test('an id is the same in upper case, in the path, the answer and the log', async (t) => {
  const { dashboard, things } = await ownerWithThings(t)
  const paths = (await pathsOf(dashboard, things)).filter(hasId)
  for (const { url, methods } of paths) {
    for (const method of methods) {
      const [lower, upper] = await Promise.all(
        ['toLowerCase' as const, 'toUpperCase' as const].map(async (inCase) => {
          const { dashboard, owner, things } = await ownerWithThings(t)
          const path = pathOf(url, things)
          const id = idOf(url, path)
          const at = withId(url, id[inCase]())
          const answer =
            method === 'POST'
              ? await dashboard.post(at, formFor(url, things, owner), { as: owner })
              : await dashboard.request(method, at, { as: owner })
          t.not(answer.statusCode, 404, `${method} ${at}`)
          return { answer: comparable(answer), audit: auditIn(dashboard) }
        }),
      )
      t.same(upper, lower, `${method} ${url}`)
    }
  }
})

/** The same one each time, ids included. */
async function ownerWithThings(t: Test): Promise<{ dashboard: Dashboard; owner: Owner; things: Things }> {
  const dashboard = await startDashboard(t, { files: someFiles })
  const owner = await dashboard.makeOwner()
  return { dashboard, owner, things: await makeThings(dashboard, owner) }
}

function auditIn({ logLines }: Dashboard): readonly unknown[] {
  return logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ audit }) => audit === true)
    .map(({ event, account_id, secret_id, session_id, token_id }) => ({
      ...{ event, account_id, secret_id, session_id, token_id },
    }))
}
